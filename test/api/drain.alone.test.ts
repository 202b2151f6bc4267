/** SHUTDOWN_DELAY_MS: a service that stops behind a load balancer, which needs time to notice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, describe, it, mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/start-app.ts';

const DELAY_MS = 600_000;

afterEach(() => mock.timers.reset());

interface Answer {
  status: number | undefined;
  connection: string | undefined;
  isReused: boolean;
}

/** Sends a request on a connection of this agent. */
async function call({ url }: TestApp, path: string, agent: Agent): Promise<Answer> {
  const request = get(url + path, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  // The socket is free for the next request one turn later.
  await setImmediate();
  const { statusCode: status, headers } = response;
  return { status, connection: headers.connection, isReused: request.reusedSocket };
}

describe('a service that stops with SHUTDOWN_DELAY_MS', () => {
  it('is not ready, accepts connections, and closes each after its next response, until the delay is over', async () => {
    await using service = await startApp({ SHUTDOWN_DELAY_MS: String(DELAY_MS) });
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.deepEqual(await call(service, '/readyz', idle), {
      status: 200,
      connection: 'keep-alive',
      isReused: false,
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    const closing = service.app.close();
    for (let elapsedMs = 0; elapsedMs < DELAY_MS; elapsedMs += DELAY_MS / 5) {
      const fresh = new Agent({ keepAlive: true });
      assert.deepEqual(await call(service, '/readyz', fresh), {
        status: 503,
        connection: 'close',
        isReused: false,
      });
      fresh.destroy();
      mock.timers.tick(DELAY_MS / 5);
    }
    // A connection that was idle since before the shutdown still takes its request.
    assert.deepEqual(await call(service, '/healthz', idle), {
      status: 200,
      connection: 'close',
      isReused: true,
    });
    mock.timers.tick(DELAY_MS);
    mock.timers.reset();
    await closing;
    await assert.rejects(call(service, '/healthz', idle), { code: 'ECONNREFUSED' });
    idle.destroy();
  });

  it('is closed at once after an error that may have damaged its state', async () => {
    await using service = await startApp({ SHUTDOWN_DELAY_MS: String(DELAY_MS) });
    await service.app.close(true);
    await assert.rejects(call(service, '/healthz', new Agent()), { code: 'ECONNREFUSED' });
  });
});
