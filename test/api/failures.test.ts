/** What fails inside, or whose caller goes away: told as it should be, logged as it should be. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createServer, type ServerDeps } from '#http';
import { createMemoryWindowCounter } from '#ratelimit';

const caller = {
  keyId: 'k',
  accountId: 'a',
  limitId: 'k',
  plan: 'p',
  limitPerMinute: 5,
  operations: null,
  clientCidrs: null,
};
const noon = Date.UTC(2030, 0, 1, 12);
const fail = (): never => {
  throw new TypeError('secret of /srv/app/inner.ts');
};

/** A server over parts that all fail; and what it logs, by level. */
async function openFailing(changes: Partial<ServerDeps> = {}) {
  const logged: string[] = [];
  const note = (level: string) => () => void logged.push(level);
  const logger = { level: 'debug', child: () => logger, silent: () => {} } as unknown as ServerDeps['logger'];
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const)
    logger[level] = note(level);
  const server = await createServer({
    authenticate: () => caller,
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: 7,
    now: () => noon,
    validateEmail: fail,
    validateEmails: fail,
    getMetadata: fail,
    generatePdf: fail,
    recordUsage: () => {},
    readParts: fail,
    isDraining: () => false,
    logger,
    trustProxy: false,
    ...changes,
  });
  return { server, logged, [Symbol.asyncDispose]: () => server.close() };
}

describe('what fails inside', () => {
  const away = {
    consume: () => Promise.reject(new Error('redis://10.0.0.9 is away')),
    close: async () => {},
  };
  const cases: [name: string, changes: Partial<ServerDeps>, limit: string][] = [
    ['an operation', {}, '5'],
    ['the key look-up', { authenticate: fail }, '7'],
    ['the key look-up, later', { authenticate: async () => fail() }, '7'],
    ['the counts', { keyWindows: away }, '5'],
    ['the counts of addresses', { authenticate: () => null, addressWindows: away }, '7'],
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

it('while nobody can tell whose keys they are, every answer is 503 with Retry-After: no key counts as a guess', async () => {
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

it('a caller who goes away is no failure of the service: nothing above debug is logged', async () => {
  const gone = Promise.withResolvers<void>();
  const wait = (_request: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
        gone.resolve();
      });
      socket.destroy();
    });
  await using failing = await openFailing({ getMetadata: wait });
  await failing.server.listen({ port: 0, host: '127.0.0.1' });
  failing.logged.length = 0;
  const socket = connect((failing.server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /v1/meta?url=http://a.example HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\n\r\n');
  await once(socket, 'close');
  await gone.promise;
  await failing.server.close();
  assert.ok(failing.logged.includes('debug'));
  assert.deepEqual(
    failing.logged.filter((level) => level !== 'debug'),
    [],
  );
});
