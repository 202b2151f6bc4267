/** The process whose log cannot be written: it keeps answering, stops on SIGTERM, and recovers by itself. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';
import { parseAnswers, sendRaw } from '../support/raw-http.ts';
import { isFullRun, sampleTests } from '../support/sample.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { patientMs, scaledMs } from '../support/patience.ts';

const it = sampleTests(2);

const root = fileURLToPath(new URL('../../', import.meta.url));
/** More requests than the queue of the log holds lines. Without TEST_FULL=1, two tests send as many. */
const OVERFLOWING = 8_000;
const VALIDATION = '/v1/email/validate?email=a@b.invalid';

interface Service extends AsyncDisposable {
  child: ChildProcess;
  dataDir: string;
  accountId: string;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Sends so many validations, each of which logs a line; returns their statuses. */
  callOften(count: number): Promise<number[]>;
}

/** Starts the service with an account and a key, every request logged to `output`. */
async function startService(folder: string, output: number | 'pipe'): Promise<Service> {
  const dataDir = join(folder, 'data');
  const port = await findPort();
  const storage = await openStorage({ dataDir });
  const now = Date.now();
  const plans = new Map([['pro', { limitPerMinute: 1_000_000, slots: null }]]);
  const account = await createAccount(
    storage.accounts,
    plans,
    { email: 'ann@example.com', plan: 'pro', admin: true },
    now,
  );
  const { secret } = await createKey(storage.keys, { accountId: account.id, name: 'test' }, now);
  await storage.close();
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    DNS_SERVERS: '127.0.0.1:9',
    PLANS: 'pro=1000000',
    SIGNUPS: 'open',
    CHROMIUM_PATH: '/nowhere/chromium',
  };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', output, output],
  });
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { 'x-api-key': secret, ...(init.headers as Record<string, string> | undefined) },
      signal: AbortSignal.timeout(patientMs(20_000)),
    });
  for (let isUp = false; !isUp; await setTimeout(50)) {
    assert.equal(child.exitCode, null, 'the service starts');
    isUp = await call('/healthz').then(
      () => true,
      () => false,
    );
  }
  return {
    child,
    dataDir,
    accountId: account.id,
    call,
    async callOften(count) {
      const request = `GET ${VALIDATION} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${secret}\r\n`;
      const { text } = await sendRaw(
        port,
        `${`${request}\r\n`.repeat(count - 1)}${request}connection: close\r\n\r\n`,
        { waitMs: patientMs(120_000) },
      );
      return parseAnswers(text).map(({ status }) => status);
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

/**
 * Finds a free port below those that the system chooses for servers of other tests, which could take it
 * before the service. Its standard output, which names the port, cannot be read here.
 */
async function findPort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); port < 32_000; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no free port');
}

/** Ends the service as a supervisor does, which kills after ten seconds of an idle machine. */
async function stop({ child }: Service): Promise<number | string | null> {
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  child.kill('SIGTERM');
  const supervisor = new AbortController();
  void setTimeout(scaledMs(10_000), null, { signal: supervisor.signal }).then(
    () => child.kill('SIGKILL'),
    () => {},
  );
  const [code, signal] = await exited;
  supervisor.abort();
  return code ?? signal;
}

function readCpuMs({ child }: Service): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Answers, does not work without end, and stops. */
async function assertUnharmed(service: Service, requests = isFullRun ? OVERFLOWING : 1_000): Promise<void> {
  assert.deepEqual(await service.callOften(requests), Array(requests).fill(200));
  assert.equal((await service.call('/healthz')).status, 200);
  const before = readCpuMs(service);
  await setTimeout(1_000);
  assert.ok(readCpuMs(service) - before < 400, 'nothing is retried in a busy loop');
  assert.equal(await stop(service), 0);
}

/** Signs up and in; returns what creates a key in that session, and its status. */
async function openSession({ call }: Service): Promise<() => Promise<number>> {
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    });
  const person = { email: 'bob@example.com', password: 'correct horse battery' };
  await post('/account/sign-up', person);
  const { headers } = await post('/account/sign-in', person);
  const cookie = headers
    .getSetCookie()
    .map((pair) => pair.split(';', 1)[0])
    .join('; ');
  return async () => (await post('/account/keys', { name: 'new' }, cookie)).status;
}

async function withFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'log-trouble-'));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const canMount = ((): boolean => {
  using disk = mountSmallDisk(1);
  return disk !== null;
})();

describe('log and database on one full disk', { skip: !canMount && 'this user may not mount a disk' }, () => {
  it('requests are answered, nothing is retried in a busy loop, and SIGTERM ends the process', async () => {
    using disk = mountSmallDisk(4);
    assert.ok(disk);
    await using service = await startService(disk.folder, openSync(join(disk.folder, 'log'), 'a'));
    disk.fill();
    await assertUnharmed(service);
  });

  it('writes are 503; with space again they work, the counts of the time between are stored, and the log says what it lost', async () => {
    using disk = mountSmallDisk(4);
    assert.ok(disk);
    const log = join(disk.folder, 'log');
    await using service = await startService(disk.folder, openSync(log, 'a'));
    const createsKey = await openSession(service);
    assert.equal(await createsKey(), 201);
    disk.fill();
    // The write-ahead log of the database may hold a free page; then the disk is full for it too.
    let status = 201;
    for (let tries = 0; status === 201 && tries < 15; tries += 1) status = await createsKey();
    assert.equal(status, 503);
    assert.deepEqual(await service.callOften(OVERFLOWING), Array(OVERFLOWING).fill(200));
    assert.equal(await createsKey(), 503);
    disk.free();
    assert.equal(await createsKey(), 201);
    for (
      let tries = 0;
      tries < patientMs(100) && !/"dropped":\d+/.test(readFileSync(log, 'utf8'));
      tries += 1
    )
      await setTimeout(50);
    assert.equal(await stop(service), 0);

    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const parsed = lines.map((line) => JSON.parse(line) as { level: number; msg: string; dropped?: number });
    const dropped = parsed.filter((line) => line.dropped !== undefined);
    const answered = parsed.filter(({ msg }) => msg === 'request completed').length;
    assert.ok(dropped.length >= 1 && dropped.every(({ level }) => level === 40));
    assert.equal(parsed.at(-1)?.msg, 'stopped');
    const lost = dropped.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
    assert.ok(
      answered < OVERFLOWING && answered + lost >= OVERFLOWING,
      `${answered} logged, ${lost} dropped`,
    );
    const storage = await openStorage({ dataDir: service.dataDir });
    const { accountId } = service;
    const counts = await storage.usage.listUsage({ accountId, bucketSize: 'day', fromMs: 0, toMs: 1e15 });
    assert.equal(
      counts.reduce((sum, { requests }) => sum + requests, 0),
      OVERFLOWING,
    );
    await storage.close();
  });
});

describe('the log cannot be written', () => {
  it('standard output and error on a full device', () =>
    withFolder(async (folder) => {
      await using service = await startService(folder, openSync('/dev/full', 'w'));
      await assertUnharmed(service);
    }));

  it('a pipe whose reader stalls', () =>
    withFolder(async (folder) => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      // Open for reading too: there is a reader, which never reads.
      await using service = await startService(folder, openSync(pipe, 'r+'));
      await assertUnharmed(service, OVERFLOWING);
    }));

  it('a pipe whose reader is gone', () =>
    withFolder(async (folder) => {
      await using service = await startService(folder, 'pipe');
      service.child.stdout?.destroy();
      service.child.stderr?.destroy();
      await assertUnharmed(service);
    }));

  it('a socket whose reader stalls', () =>
    withFolder(async (folder) => {
      await using service = await startService(folder, 'pipe');
      await assertUnharmed(service);
    }));
});
