/** Internal failures, and clients that disconnect: the responses, and the log. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createServer, MAX_PDF_BODY_BYTES, type ServerDeps } from '#http';
import { computeCapacities, createMemoryWindowCounter, createShares } from '#limits';
import { NO_TRACING } from '#telemetry';
import { NO_OBSERVER } from '../support/no-observer.ts';

const caller = {
  keyId: 'k',
  accountId: 'a',
  limitId: 'k',
  plan: 'p',
  limitPerMinute: 5,
  slots: null,
  operations: null,
  clientNetworks: null,
};
const noon = Date.UTC(2030, 0, 1, 12);
const fail = (): never => {
  throw new TypeError('secret of /srv/app/inner.ts');
};

/**
 * Starts a server whose parts all fail. Returns the levels above info at which it logs, and the statuses of
 * recorded usage.
 */
async function openFailing(changes: Partial<ServerDeps> = {}) {
  const logged: string[] = [];
  const statuses: number[] = [];
  const errors: unknown[] = [];
  const { promise: hasLogged, resolve: markLogged } = Promise.withResolvers<void>();
  const note = (level: string) => (): void => {
    if (level !== 'info') logged.push(level);
    setImmediate(markLogged);
  };
  const logger = { level: 'debug', child: () => logger, silent: () => {} } as unknown as ServerDeps['logger'];
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const)
    logger[level] = note(level);
  const server = await createServer({
    authenticate: async () => caller,
    findCaller: () => null,
    findAccountId: () => null,
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: 7,
    now: () => noon,
    validateEmail: fail,
    validateEmails: fail,
    getMetadata: fail,
    canRender: true,
    generatePdf: fail,
    recordUsage: ({ status, error }) => {
      statuses.push(status);
      errors.push(error);
    },
    readParts: fail,
    isDraining: () => false,
    shares: createShares({
      capacities: computeCapacities({ pdfSlots: 2, egressConnections: 8, bodyMemoryMb: 96 }),
      maxBodyBytes: MAX_PDF_BODY_BYTES,
      now: () => noon,
    }),
    logger,
    requestObserver: { ...NO_OBSERVER, onResponse: (level) => note(level)() },
    version: '0.0.0',
    tracing: NO_TRACING,
    trustProxy: false,
    ...changes,
  });
  return {
    server,
    logged,
    statuses,
    errors,
    /** Resolves when a request was logged and handled. */
    hasLogged,
    async connect(): Promise<Socket> {
      await server.listen({ port: 0, host: '127.0.0.1' });
      return connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe('internal failures', () => {
  const away = {
    consume: () => Promise.reject(new Error('redis://10.0.0.9 is away')),
    tryConsume: () => null,
    close: async () => {},
  };
  const cases: [name: string, changes: Partial<ServerDeps>, limit: string][] = [
    ['an operation', {}, '5'],
    ['the key lookup', { authenticate: fail }, '7'],
    ['the key lookup, later', { authenticate: async () => fail() }, '7'],
    ['the counts', { keyWindows: away }, '5'],
    ['the counts of addresses', { authenticate: async () => null, addressWindows: away }, '7'],
  ];
  for (const [name, changes, limit] of cases)
    it(`${name}: 500 with all the headers and nothing internal, also for HEAD`, async () => {
      await using failing = await openFailing(changes);
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await failing.server.inject({
          method,
          url: '/v1/meta?url=http://a.example',
          headers: { 'x-api-key': 'k' },
        });
        assert.equal(answer.statusCode, 500);
        assert.equal(answer.headers['x-ratelimit-limit'], limit);
        assert.equal(answer.headers['x-ratelimit-reset'], String((noon + 60_000) / 1000));
        assert.ok(answer.headers['x-ratelimit-remaining']);
        assert.doesNotMatch(answer.body, /secret|inner|redis|TypeError/);
        if (method === 'GET') assert.equal((JSON.parse(answer.body) as { error: string }).error, 'internal');
      }
      assert.ok(failing.logged.includes('error'));
    });
});

it('while keys cannot be looked up, every response is 503 with Retry-After: no key counts as a guess', async () => {
  await using failing = await openFailing({
    authenticate: () => Promise.reject(new ApiError('unavailable')),
  });
  for (let n = 0; n < 10; n++) {
    const answer = await failing.server.inject({ url: '/v1/meta', headers: { 'x-api-key': 'k' } });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers['retry-after'], '30');
    assert.equal(answer.headers['x-ratelimit-remaining'], '7');
  }
});

it('a client that disconnects is no failure of the service: nothing above info is logged, and usage has 499', async () => {
  const wait = (_request: unknown, _caller: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      socket.destroy();
    });
  await using failing = await openFailing({ getMetadata: wait });
  const socket = await failing.connect();
  socket.write('GET /v1/meta?url=http://a.example HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\n\r\n');
  await failing.hasLogged;
  assert.deepEqual(failing.statuses, [499]);
  assert.deepEqual(failing.errors, ['disconnected']);
  assert.deepEqual(failing.logged, []);
});

it('so it is if the response is a stream of lines, which is counted once', async () => {
  // oxlint-disable-next-line require-yield -- nothing is known before the caller goes
  async function* wait(_requests: unknown, _caller: unknown, signal: AbortSignal): AsyncGenerator<never> {
    const aborted = once(signal, 'abort');
    socket.destroy();
    await aborted;
    throw signal.reason;
  }
  await using failing = await openFailing({ validateEmails: wait });
  const socket = await failing.connect();
  const body = '{"emails":["a@b.invalid"]}';
  socket.write(
    `POST /v1/email/validate/batch HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\naccept: application/x-ndjson\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await failing.hasLogged;
  assert.deepEqual(failing.statuses, [200]);
  assert.deepEqual(failing.logged, []);
});
