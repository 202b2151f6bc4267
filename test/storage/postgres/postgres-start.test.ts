/**
 * Promises about a start while PostgreSQL cannot be reached: the service waits, says so, and ends in time.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { findFreePorts } from '../../support/free-ports.ts';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';
import { waitUntil } from '../../support/replicas.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import { patientMs } from '../../support/patience.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const WAITING = /waiting for PostgreSQL, for \d+ s at most/g;

/** Starts a service. Its log grows in `lines`. */
function start(settings: Record<string, string>): { lines: string[]; started: Promise<TestApp> } {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { lines, started: startApp({ OPERATIONS: 'email', ...settings }, { logger }) };
}

async function findClosedUrl(): Promise<string> {
  const [port] = await findFreePorts(1);
  return `postgres://user:secret-of-tests@127.0.0.1:${port}/app`;
}

const countWaits = (lines: readonly string[]): number => lines.join('').match(WAITING)?.length ?? 0;

describe('a start while PostgreSQL cannot be reached', () => {
  it('fails with the reason when DATABASE_START_TIMEOUT_MS is over', async () => {
    for (const [timeout, waits] of [
      ['1200', 1],
      ['0', 0],
    ] as const) {
      const settings = { DATABASE_URL: await findClosedUrl(), DATABASE_START_TIMEOUT_MS: timeout };
      const { lines, started } = start(settings);
      await assert.rejects(started, {
        name: 'StartError',
        message:
          /^PostgreSQL at 127\.0\.0\.1:\d+, database app cannot be reached: connect ECONNREFUSED.*\. Start PostgreSQL, or correct DATABASE_URL\.$/,
      });
      assert.equal(countWaits(lines), waits);
      assert.ok(!lines.join('').includes('secret-of-tests'));
    }
  });

  it('stops at a signal, with exit code 0', async () => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: { ...process.env, PORT: '0', OPERATIONS: 'email', DATABASE_URL: await findClosedUrl() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    await waitUntil(() => countWaits([log]) > 0, patientMs(20_000));
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, log);
    assert.doesNotMatch(log, /Error/);
  });

  describe('that runs', { skip: skipPostgres }, () => {
    let server: TestPostgres;
    let url: URL;
    before(async () => {
      server = await openPostgresServer();
      url = new URL(await server.createDatabase());
    });
    after(() => server[Symbol.asyncDispose]());

    it('continues when it accepts connections', async () => {
      const targetPort = Number(url.port || 5432);
      await using proxy = await openTcpProxy({ targetHost: url.hostname, targetPort });
      await proxy.set('refuse');
      const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) });
      const { lines, started } = start({ DATABASE_URL: proxied.href });
      await waitUntil(() => countWaits(lines) > 0, patientMs(20_000));
      await proxy.set('pass');
      await using service = await started;
      assert.equal((await service.call('/readyz')).status, 200);
    });

    it('fails at once if the server refuses: the URL has to be corrected', async () => {
      const { href } = Object.assign(new URL(url), { pathname: '/missing' });
      const { lines, started } = start({ DATABASE_URL: href });
      await assert.rejects(started, {
        name: 'StartError',
        message: /database missing cannot be used: database "missing" does not exist/,
      });
      assert.equal(countWaits(lines), 0);
    });
  });
});
