/**
 * The programs of real engines: named by a variable, on the machine, or unpacked; never missing unnoticed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { isFullRun } from './support/sample.ts';

const support = new URL('./support/', import.meta.url);
const NOBODY = 65_534;

interface Outcome {
  isLoaded: boolean;
  output: string;
}

/** Runs this code in a process of its own, with these variables and without CI unless they set it. */
async function run(code: string, variables: Record<string, string>): Promise<Outcome> {
  const { CI: _ci, TEST_DATABASE_URL: _url, ...env } = process.env;
  const args = ['--input-type=module', '-e', code];
  return promisify(execFile)(process.execPath, args, { env: { ...env, ...variables } }).then(
    ({ stdout }) => ({ isLoaded: true, output: stdout }),
    (error: Error & { stderr: string }) => ({ isLoaded: false, output: error.stderr }),
  );
}

const load = (file: string): string => `await import('${new URL(file, support).href}')`;

describe('a test that needs an engine', { concurrency: true }, () => {
  for (const [variable, file, CI] of [
    ['REDIS_PATH', 'redis.ts', ''],
    ['NGINX_PATH', 'nginx.ts', 'true'],
    ['POSTGRES_PATH', 'postgres-binaries.ts', 'true'],
  ] as const)
    it(`fails if ${variable} names nothing that can be run${CI && ', in CI'}`, async () => {
      const find = file === 'postgres-binaries.ts' ? `(${load(file)}).findPostgresBinaries()` : load(file);
      const { isLoaded, output } = await run(`await ${find}`, { [variable]: '/nonexistent/program', CI });
      assert.equal(isLoaded, false);
      assert.match(output, new RegExp(`${variable} is /nonexistent/program.*: correct it`));
    });

  it('is skipped with the reason if there is no such program, and fails in CI', async () => {
    const search = {
      title: 'server',
      variable: 'NO_PATH',
      choices: [{ name: 'no-server', packages: ['no'] }],
    };
    const code = `const { findServer } = ${load('find-server.ts')};
      console.log(findServer(${JSON.stringify(search)}));`;
    // Without apt on the PATH, no package is searched for.
    const PATH = '/nonexistent';
    const reason = /no server: .*Install no-server, or set NO_PATH to it\./;
    const [elsewhere, inCi] = await Promise.all([run(code, { PATH }), run(code, { PATH, CI: 'true' })]);
    assert.equal(elsewhere.isLoaded, true);
    assert.match(elsewhere.output, reason);
    assert.equal(inCi.isLoaded, false);
    assert.match(inCi.output, reason);
  });
});

it(
  'without lists of packages, apt fetches them into the cache, as root and as another user',
  { skip: isFullRun ? false : 'npm test -- full runs it: it downloads packages' },
  async () => {
    const users = process.getuid?.() === 0 ? [0, NOBODY] : [process.getuid?.() ?? 0];
    for (const uid of users) {
      const folder = await mkdtemp(join(tmpdir(), 'engine-programs-'));
      await mkdir(join(folder, 'test/support'), { recursive: true });
      await mkdir(join(folder, 'lists/partial'), { recursive: true });
      // The cache is beside the copy.
      const module = join(folder, 'test/support/debian-packages.ts');
      await copyFile(new URL('debian-packages.ts', support), module);
      await writeFile(join(folder, 'apt.conf'), `Dir::State::lists "${folder}/lists";\n`);
      await chmod(folder, 0o755);
      await chown(folder, uid, uid);
      const code = `const { findProgram } = await import('${module}');
        console.log(findProgram({ name: 'hello', packages: ['hello'] }).path);`;
      const args = ['--input-type=module', '-e', code];
      const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') };
      const { stdout } = await promisify(execFile)(process.execPath, args, { env, uid, gid: uid });
      assert.ok(stdout.startsWith(folder) && stdout.endsWith('/hello\n'), stdout);
      await rm(folder, { recursive: true });
    }
  },
);
