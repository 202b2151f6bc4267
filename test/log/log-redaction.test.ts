/** Secrets of clients do not reach the log. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Logs `entry` with the service's logger in a separate process; returns the line. */
function log(entry: object): Record<string, unknown> {
  const script = `import { createLogger } from '#telemetry'; createLogger('info').info(${JSON.stringify(entry)}, 'x');`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
}

describe('the log', () => {
  it('has [Redacted] in place of the key and the cookies of a request', () => {
    const headers = { 'x-api-key': 'ua_live_secret', cookie: 'session=secret', host: 'example.com' };
    assert.deepEqual(log({ req: { method: 'GET', headers } })['req'], {
      method: 'GET',
      headers: { 'x-api-key': '[Redacted]', cookie: '[Redacted]', host: 'example.com' },
    });
  });

  it('of all requests, at the level trace, has no key, password, session or body', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redaction-'));
    const dataDir = join(folder, 'data');
    const storage = await openStorage({ dataDir });
    const plans = new Map([['pro', { limitPerMinute: 1000, slots: null }]]);
    const now = Date.now();
    const { id } = await createAccount(
      storage.accounts,
      plans,
      { email: 'ann@example.com', plan: 'pro', admin: true },
      now,
    );
    const { secret: key } = await createKey(storage.keys, { accountId: id, name: 'test' }, now);
    await storage.close();
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'trace',
        DNS_SERVERS: '127.0.0.1:9',
        CHROMIUM_PATH: '/nowhere/chromium',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      while (!/listening on http/.test(text)) {
        assert.equal(child.exitCode, null, text);
        await once(child.stdout, 'data');
      }
      const [, origin = ''] = /listening on (http:\/\/[^"\s]+)/.exec(text) ?? [];
      const password = 'correct horse battery';
      const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
        fetch(origin + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
          body: JSON.stringify(body),
        });
      const person = { email: 'bob@example.com', password };
      const guessedKey = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
      const requests = [
        await fetch(`${origin}/v1/email/validate?email=a@b.invalid`, { headers: { 'x-api-key': key } }),
        await fetch(`${origin}/v1/email/validate?email=a@b.invalid`, {
          headers: { 'x-api-key': guessedKey },
        }),
        await post('/v1/pdf/generate', { html: '<p>private body</p>' }, { 'x-api-key': key }),
        await post('/account/sign-up', person),
        await post('/account/sign-in', { ...person, password: 'wrong horse battery' }),
        await post('/account/sign-in', person),
      ];
      assert.deepEqual(
        requests.map(({ status }) => status),
        [200, 401, 503, 202, 401, 200],
      );
      const cookies =
        requests
          .at(-1)
          ?.headers.getSetCookie()
          .map((pair) => pair.split(';', 1)[0] ?? '') ?? [];
      const session = cookies[0]?.split('=')[1] ?? '';
      const created = await post('/account/keys', { name: 'new' }, { cookie: cookies.join('; ') });
      const { secret } = (await created.json()) as { secret: string };
      child.kill('SIGTERM');
      await once(child, 'exit');
      assert.ok(text.split('\n').filter((line) => line.includes('requestId')).length >= 3, text);
      for (const found of [key, guessedKey, secret, session, 'horse battery', 'private body']) {
        assert.ok(found.length > 10, found);
        assert.ok(!text.includes(found), `${found} is in the log:\n${text}`);
      }
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, maxRetries: 5 });
    }
  });
});
