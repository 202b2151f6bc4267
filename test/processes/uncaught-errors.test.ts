/** The process as an operator runs it, with errors planted in it that no request handles. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sample } from '../support/sample.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Service extends AsyncDisposable {
  child: ChildProcess;
  url: string;
  /** Emits `change` when the log grows and when the process ends. */
  changes: EventEmitter;
  log(): string;
}

async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-uncaught-'));
  const plants = new URL('../support/plant-errors.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', plants, 'src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      DNS_SERVERS: '127.0.0.1:9',
      CHROMIUM_PATH: '/nowhere/chromium',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  const changes = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      changes.emit('change');
    });
  child.once('exit', () => changes.emit('change'));
  const service = {
    child,
    url: '',
    changes,
    log: () => log,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await whenLogged(service, /listening on /);
  service.url = /listening on (http:\/\/[^"\s]+)/.exec(log)?.[1] ?? '';
  return service;
}

/** Resolves when the log holds this, and fails if the process ends before. */
async function whenLogged({ child, changes, log }: Service, pattern: RegExp): Promise<void> {
  while (!pattern.test(log())) {
    if (child.exitCode !== null) throw new Error(`the service ended, exit code ${child.exitCode}:\n${log()}`);
    await once(changes, 'change');
  }
}

async function countErrors({ url }: Service): Promise<number> {
  const { parts } = (await (await fetch(`${url}/readyz`)).json()) as {
    parts: { process: { uncaughtErrors: number } };
  };
  return parts.process.uncaughtErrors;
}

/**
 * A call whose headers the service has, and that it cannot answer before its body is complete: it is in
 * flight.
 */
async function startCall({ url }: Service): Promise<{ finish(): Promise<number | undefined> }> {
  const request = get(`${url}/account/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '2', expect: '100-continue' },
  });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  request.flushHeaders();
  await Promise.race([once(request, 'continue'), response]);
  return {
    async finish() {
      request.end('{}');
      const [{ statusCode }] = await response;
      return statusCode;
    },
  };
}

describe('an error that no request handles', () => {
  it('is logged, counted and survived, if it belongs to a timer, a promise, a stream, a socket or a program', async () => {
    await using service = await startService();
    const names = ['timer', 'rejection', 'socket', 'stream', 'child', 'primitive'];
    for (const [index, name] of names.entries()) {
      service.child.send(name);
      await whenLogged(
        service,
        new RegExp(`"count":${index + 1},"msg":"uncaught error outside a request: survived"`),
      );
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200, name);
      assert.equal(await countErrors(service), index + 1);
    }
    for (const text of ['planted in a timer', 'planted in a promise', 'ECONNREFUSED', 'planted string'])
      assert.ok(service.log().includes(text), text);
    service.child.kill('SIGTERM');
    await once(service.child, 'exit');
    assert.equal(service.child.exitCode, 0, service.log());
  });

  // One of them unless TEST_FULL=1: `uncaught-errors.test.ts` of `src/` has the reasons of all.
  for (const [name, reason] of sample(
    [
      ['assertion', 'assertion'],
      ['memory', 'memory'],
      ['database', 'storage'],
    ] as const,
    3,
  ))
    it(`ends the process with exit code 1 after a drain, if it is of the kind ${name}`, async () => {
      await using service = await startService();
      const call = await startCall(service);
      service.child.send(name);
      await whenLogged(service, /uncaught error: draining/);
      assert.ok(service.log().includes(`"reason":"${reason}"`), service.log());
      const status = await call.finish();
      assert.ok(status !== undefined && status < 500, `the request in flight is answered: ${status}`);
      await once(service.child, 'exit');
      assert.equal(service.child.exitCode, 1);
      assert.match(service.log(), /"msg":"stopped"/);
    });

  it('ends the process with exit code 1 after a drain, if it is the eleventh within a minute', async () => {
    await using service = await startService();
    for (let count = 1; count <= 11; count += 1) service.child.send('timer');
    await once(service.child, 'exit');
    assert.equal(service.child.exitCode, 1);
    assert.equal(service.log().match(/survived/g)?.length, 10);
    assert.match(service.log(), /"reason":"too many"/);
    assert.match(service.log(), /"msg":"stopped"/);
  });
});
