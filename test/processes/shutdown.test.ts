/** The process as an operator runs it: start, signals, what it leaves behind. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';
import { sampleTests } from '../support/sample.ts';
import { patientMs, scaledMs } from '../support/patience.ts';

const it = sampleTests(2);

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Service extends AsyncDisposable {
  child: ChildProcess;
  url: string;
  key: string;
  /** A folder that stands for the system's temporary one. */
  temporary: string;
  log: () => string;
}

/** Creates a key beside the running service, as the command line does. */
async function createKeyIn(dataDir: string): Promise<string> {
  const storage = await openStorage({ dataDir });
  const plans = new Map([['pro', { limitPerMinute: 600, slots: null }]]);
  const email = 'ann@example.com';
  const account = await createAccount(
    storage.accounts,
    plans,
    { email, plan: 'pro', admin: false },
    Date.now(),
  );
  const { secret } = await createKey(storage.keys, { accountId: account.id, name: 'test' }, Date.now());
  await storage.close();
  return secret;
}

/** Settings of a service without a browser, which starts faster. */
const WITHOUT_BROWSER = { CHROMIUM_PATH: '/nowhere/chromium' };

/** Starts `node src/main.ts` as `npm start` does, and makes a key. */
async function startProcess(settings: Record<string, string> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-process-'));
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  execFileSync('chmod', ['755', folder, temporary]);
  const env = {
    ...process.env,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    TMPDIR: temporary,
    DNS_SERVERS: '127.0.0.1:9',
    ...settings,
  };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  while (!/listening on /.test(log)) {
    if (child.exitCode !== null)
      throw new Error(`the service did not start, exit code ${child.exitCode}:\n${log}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  const url = /listening on (http:\/\/[^"\s]+)/.exec(log)?.[1] ?? '';
  const key = await createKeyIn(env.DATA_DIR);
  return {
    child,
    url,
    key,
    temporary,
    log: () => log,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function stop({ child }: Service): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { code: child.exitCode, ms: performance.now() - startedAt };
}

/** The processes whose parents lead to this one. */
function listDescendants(pid: number): number[] {
  const pairs = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...children(child)]);
  return children(pid);
}

/** True if a process runs; one that ended and waits for its parent to notice does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Those that still run after a moment: a killed process takes some milliseconds to go. */
async function listSurvivors(pids: number[]): Promise<number[]> {
  for (let n = 0; n < patientMs(100) && pids.some(isAlive); n++) await setTimeout(20);
  return pids.filter(isAlive);
}

const renderPdf = (service: Service, html: string): Promise<Response> =>
  fetch(`${service.url}/v1/pdf/generate`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ html, wait_for: 1500 }),
  });

/** Resolves once the browser has a document in work. */
async function isRendering({ url }: Service): Promise<void> {
  for (let busy = 0; busy === 0; await setTimeout(5)) {
    const { parts } = (await (await fetch(`${url}/readyz`)).json()) as {
      parts: { browser: { busy: number } };
    };
    busy = parts.browser.busy;
  }
}

/**
 * One caller on a connection that is kept, until the port is closed; counts how each request ended. A new
 * connection that is reset is one refused a moment early: it came between the last accept and the closing of
 * the port, which no process can make one. So the next is refused.
 */
async function callUntilRefused(
  { url, key }: Service,
  outcomes: Map<string, number>,
  isWarm: () => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'x-api-key': key };
  const call = (): Promise<string> =>
    new Promise((resolve) => {
      const request = get(`${url}/v1/email/validate?email=a@b.invalid`, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
        answer.on('error', (error) => resolve(error.message));
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve((request.reusedSocket ? 'kept connection: ' : '') + (error.code ?? error.message)),
      );
    });
  for (let outcome = ''; outcome !== 'ECONNREFUSED';) {
    outcome = await call();
    if (outcome === 'ECONNRESET') {
      outcome = await call();
      if (outcome !== 'ECONNREFUSED') outcome = `ECONNRESET, then ${outcome}`;
    }
    const count = (outcomes.get(outcome) ?? 0) + 1;
    outcomes.set(outcome, count);
    if (count === 100) isWarm();
  }
  agent.destroy();
}

describe('the process', () => {
  it('logs the first steps, and SIGTERM ends it with exit code 0', async () => {
    await using service = await startProcess(WITHOUT_BROWSER);
    assert.match(service.log(), /keys create --email/);
    assert.equal((service.log().match(/curl/g) ?? []).length, 3);
    const { code, ms } = await stop(service);
    assert.equal(code, 0);
    assert.ok(ms < scaledMs(10_000));
    const { stdout } = service.child;
    if (stdout?.closed === false) await once(stdout, 'close');
    assert.match(service.log(), /"signal":"SIGTERM"/);
  });

  it('after SIGTERM the render in flight completes, and no process and no temporary file is left', async () => {
    await using service = await startProcess();
    assert.equal((await renderPdf(service, 'warm')).status, 200);
    const processes = listDescendants(service.child.pid ?? 0);
    assert.ok(processes.length > 0, 'a browser runs');
    const inFlight = renderPdf(service, '<p>in flight</p><script>1</script>');
    await fetch(`${service.url}/healthz`);
    const stopped = stop(service);
    const answer = await inFlight;
    assert.equal(
      answer.status,
      200,
      await answer
        .clone()
        .text()
        .catch(() => ''),
    );
    assert.equal(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
    const { code, ms } = await stopped;
    assert.equal(code, 0, service.log());
    assert.ok(ms < scaledMs(10_000));
    assert.deepEqual(await listSurvivors(processes), []);
    assert.deepEqual(readdirSync(service.temporary), []);
  });

  it('after the browser died, the next PDF works', async () => {
    await using service = await startProcess();
    assert.equal((await renderPdf(service, 'one')).status, 200);
    for (const pid of listDescendants(service.child.pid ?? 0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    assert.equal((await renderPdf(service, 'two')).status, 200);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    await stop(service);
  });

  it('without a browser it starts, the other operations work, PDF is 503 and /readyz says why', async () => {
    await using service = await startProcess(WITHOUT_BROWSER);
    const headers = { 'x-api-key': service.key };
    assert.equal(
      (await fetch(`${service.url}/v1/email/validate?email=a@b.invalid`, { headers })).status,
      200,
    );
    const answer = await renderPdf(service, 'x');
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '30');
    assert.equal(((await answer.json()) as { error: string }).error, 'unavailable');
    const ready = (await (await fetch(`${service.url}/readyz`)).json()) as {
      parts: { browser: { ok: boolean; reason: string } };
    };
    assert.equal(ready.parts.browser.ok, false);
    assert.ok(ready.parts.browser.reason.length > 10);
    assert.equal((await stop(service)).code, 0);
  });

  it('a revocation by the command line counts within 5 s on the running server', async () => {
    await using service = await startProcess(WITHOUT_BROWSER);
    const call = async (): Promise<number> =>
      (
        await fetch(`${service.url}/v1/email/validate?email=a@b.invalid`, {
          headers: { 'x-api-key': service.key },
        })
      ).status;
    assert.equal(await call(), 200);
    const env = { ...process.env, DATA_DIR: join(service.temporary, '../data') };
    const [row] = JSON.parse(
      execFileSync(process.execPath, ['src/cli/main.ts', 'keys', 'list', '--json'], {
        cwd: root,
        env,
        encoding: 'utf8',
      }),
    ) as { id: string }[];
    execFileSync(process.execPath, ['src/cli/main.ts', 'keys', 'revoke', row?.id ?? ''], { cwd: root, env });
    const until = Date.now() + scaledMs(5000);
    let status = await call();
    while (status === 200 && Date.now() < until) status = await call();
    assert.equal(status, 401);
    await stop(service);
  });

  it('a bad setting stops the start with one clear line for each', async () => {
    const env = {
      ...process.env,
      PORT: 'http',
      OPERATIONS: 'email,mail',
      PLANS: 'free',
      DNS_SERVERS: ',',
      EGRESS_ALLOW_CIDRS: '10/8',
      EGRESS_USER_AGENT: 'a\nb',
      MAIL_FROM: 'a\nb',
    };
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await once(child, 'close');
    assert.equal(child.exitCode, 1);
    assert.deepEqual(errors.match(/^configuration: [A-Z_]+/gm), [
      'configuration: PORT',
      'configuration: OPERATIONS',
      'configuration: PLANS',
      'configuration: DNS_SERVERS',
      'configuration: EGRESS_ALLOW_CIDRS',
      'configuration: EGRESS_USER_AGENT',
      'configuration: MAIL_FROM',
    ]);
  });

  it('a port in use is reported in one line', async () => {
    await using service = await startProcess(WITHOUT_BROWSER);
    const port = new URL(service.url).port;
    await assert.rejects(
      startProcess({ ...WITHOUT_BROWSER, PORT: port }),
      /exit code 1:[^]*cannot listen on 127\.0\.0\.1:\d+/,
    );
  });

  it('an unusable DATA_DIR is reported in one line', async () => {
    await assert.rejects(
      startProcess({ ...WITHOUT_BROWSER, DATA_DIR: join(root, 'package.json') }),
      (error: Error) => {
        assert.match(error.message, /exit code 1:\ncannot start: [^\n]+DATA_DIR[^\n]+\n$/);
        return true;
      },
    );
  });

  it('SIGTERM fails no request of clients that continue, and a repeated signal does not shorten the drain', async () => {
    await using service = await startProcess({ PLANS: 'pro=1000000' });
    const inFlight = renderPdf(service, '<p>in flight</p><script>1</script>');
    // If another assertion fails first, that one is reported.
    inFlight.catch(() => {});
    await isRendering(service);
    const outcomes = new Map<string, number>();
    const { promise: warm, resolve: isWarm } = Promise.withResolvers<void>();
    const callers = Array.from({ length: 8 }, () => callUntilRefused(service, outcomes, isWarm));
    await warm;
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) service.child.kill(signal);
    await Promise.all(callers);
    assert.deepEqual([...outcomes.keys()].sort(), ['200', 'ECONNREFUSED'], service.log());
    assert.equal((await inFlight).status, 200);
    if (service.child.exitCode === null) await once(service.child, 'exit');
    assert.equal(service.child.exitCode, 0, service.log());
    assert.deepEqual(readdirSync(service.temporary), []);
  });
});
