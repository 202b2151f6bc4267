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

it('the command that the first start logs works unchanged, in any data folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "it's a folder "));
  // No browser is needed.
  const { DATA_DIR: _, ...inherited } = process.env;
  const env = { ...inherited, HOST: '127.0.0.1', PORT: '0', CHROMIUM_PATH: '/nowhere' };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // From the start: a process that fails has exited before the test does.
  const exited = once(child, 'exit');
  try {
    const log = await readUntil(child.stdout, /setup\?token=/);
    const [command = ''] = /^ *KEY=\$\(.*\)$/m.exec(log) ?? [];
    // The script itself: npm would add half a second.
    const script = command.replace('npm run --silent admin --', `"${process.execPath}" src/cli/main.ts`);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${script}; printf %s "$KEY"`], {
      cwd: root,
      env,
    });
    const [, url = ''] = /"(http:\S+\/v1\/email\/validate\?\S+)"/.exec(log) ?? [];
    const response = await fetch(`${url}&check_mx=false`, { headers: { 'x-api-key': stdout } });
    assert.equal(response.status, 200, log);
    assert.equal(response.headers.get('x-ratelimit-limit'), '600');
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Returns the text of the stream up to a match. Reads on after it, so that the writer does not block. */
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
