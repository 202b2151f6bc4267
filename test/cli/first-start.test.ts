import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('what the log of the first start tells to type works as it stands, wherever the data lie', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "it's a folder "));
  // Without a browser: nothing here needs one.
  const { DATA_DIR: _, ...inherited } = process.env;
  const env = { ...inherited, HOST: '127.0.0.1', PORT: '0', CHROMIUM_PATH: '/nowhere' };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const log = await readUntil(child.stdout, /setup\?token=/);
    const [command = ''] = /^ *KEY=\$\(.*\)$/m.exec(log) ?? [];
    // The script itself: npm around it costs half a second.
    const script = command.replace('npm run --silent admin --', `"${process.execPath}" src/cli/main.ts`);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${script}; printf %s "$KEY"`], {
      cwd: root,
      env,
    });
    const [, url = ''] = /"(http:\S+\/v1\/email\/validate\?\S+)"/.exec(log) ?? [];
    const answer = await fetch(`${url}&check_mx=false`, { headers: { 'x-api-key': stdout } });
    assert.equal(answer.status, 200, log);
    assert.equal(answer.headers.get('x-ratelimit-limit'), '600');
  } finally {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** What the stream tells up to a match; it is read on, so that its writer never waits. */
async function readUntil(stream: NodeJS.ReadableStream, end: RegExp): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
    if (end.test(text)) resolve(text);
  });
  stream.on('end', () => resolve(text));
  return promise;
}
