/** Retries, time limits and responses that are not the API's, by servers that misbehave. */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { ConnectionError, type Retry, TimeoutError, UtilityApi, UtilityApiError } from '../src/index.ts';
import { type Answer, disconnect, failWith, json, startHostileServer } from './hostile-server.ts';

const REPORT = { email: 'a@b.example', valid: true };
const ok = json(200, REPORT);
const pdf: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 4 }).end('%PDF');
const silent: Answer = () => {};
const page =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Bad gateway</h1>');

/** Awaits the error of a call. */
async function catchError(call: PromiseLike<unknown>): Promise<UtilityApiError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof UtilityApiError, inspect(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the call succeeds' });
}

void describe('a failed attempt', { concurrency: true }, () => {
  for (const [name, answer, repeats] of [
    ['429', failWith(429, 'rate_limit_exceeded'), 'all'],
    ['503', failWith(503, 'overloaded'), 'all'],
    ['the page of a proxy with 502', page(502, { 'retry-after': '0' }), 'all'],
    ['a connection that closes without a response', disconnect, 'all'],
    ['500', failWith(500, 'internal'), 'all but a PDF'],
    ['the page of a proxy with 504', page(504, { 'retry-after': '0' }), 'all but a PDF'],
    ['408', failWith(408, 'timeout'), 'none'],
    ['422', failWith(422, 'unreachable'), 'none'],
    ['400', failWith(400, 'invalid_parameter'), 'none'],
    ['401', failWith(401, 'unauthorized'), 'none'],
    ['413', failWith(413, 'payload_too_large'), 'none'],
  ] as [string, Answer, 'all' | 'all but a PDF' | 'none'][])
    it(`${name} is repeated: ${repeats}`, async () => {
      await using email = await startHostileServer(answer, ok);
      await using document = await startHostileServer(answer, pdf);
      const isEmail = await email
        .connect()
        .validateEmail('a@b.example')
        .then(
          () => true,
          () => false,
        );
      const isPdf = await document
        .connect()
        .generatePdf({ html: 'x' })
        .then(
          (result) => result.cancel().then(() => true),
          () => false,
        );
      assert.deepEqual([isEmail, isPdf], [repeats !== 'none', repeats === 'all']);
      assert.deepEqual([email.requests.length, document.requests.length], [isEmail ? 2 : 1, isPdf ? 2 : 1]);
      assert.equal(document.requests.at(-1)?.body, '{"html":"x"}');
    });

  it('is repeated maxRetries times, with longer waits, and reported to onRetry', async () => {
    await using server = await startHostileServer(disconnect);
    const retries: Retry[] = [];
    const error = await catchError(
      server.connect().validateEmail('a@b.example', {}, { onRetry: (retry) => retries.push(retry) }),
    );
    assert.deepEqual(
      retries.map(({ attempt, error }) => [attempt, error.code]),
      [
        [1, 'connection_failed'],
        [2, 'connection_failed'],
      ],
    );
    const [first = 0, second = 0] = retries.map(({ delayMs }) => delayMs);
    assert.ok(first >= 250 && first <= 500 && second >= 500 && second <= 1_000, `${first}, ${second}`);
    assert.ok(error instanceof ConnectionError && error.cause !== undefined);
    assert.equal(server.requests.length, 3);
    await catchError(server.connect({ maxRetries: 0 }).validateEmail('a@b.example'));
    assert.equal(server.requests.length, 4);
  });

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    for (const value of ['30', new Date(Date.now() + 30_500).toUTCString()]) {
      await using server = await startHostileServer(failWith(429, 'x', { 'retry-after': value }));
      const abort = new AbortController();
      const call = server.connect().validateEmail(
        'a@b.example',
        {},
        {
          signal: abort.signal,
          onRetry({ delayMs, error }) {
            assert.ok(delayMs >= 29_000 && delayMs <= 31_500, String(delayMs));
            assert.ok((error.retryAfterSeconds ?? 0) >= 29);
            abort.abort(new Error('long enough'));
          },
        },
      );
      await assert.rejects(Promise.resolve(call), /long enough/);
    }
  });

  it('waits as without Retry-After if it is neither', async () => {
    for (const value of ['1.5', '-5', '1e99', 'Jan 1', 'x GMT']) {
      await using server = await startHostileServer(failWith(429, 'x', { 'retry-after': value }));
      const error = await catchError(server.connect({ maxRetries: 0 }).validateEmail('a@b.example'));
      assert.equal(error.retryAfterSeconds, undefined, value);
    }
  });

  it('is not repeated if the wait is over a minute, or does not fit into totalTimeoutMs', async () => {
    await using server = await startHostileServer(
      failWith(429, 'rate_limit_exceeded', { 'retry-after': '61' }),
      failWith(429, 'rate_limit_exceeded', { 'retry-after': '5' }),
    );
    const first = await catchError(server.connect().validateEmail('a@b.example'));
    assert.deepEqual([first.status, first.retryAfterSeconds], [429, 61]);
    const second = server.connect({ totalTimeoutMs: 5_000 }).validateEmail('a@b.example');
    assert.equal((await catchError(second)).retryAfterSeconds, 5);
    assert.equal(server.requests.length, 2);
  });
});

void describe('time limits and aborts', { concurrency: true }, () => {
  it('timeoutMs ends an attempt, which is repeated for an email and not for a PDF', async () => {
    await using email = await startHostileServer(silent, ok);
    assert.deepEqual(await email.connect({ timeoutMs: 300 }).validateEmail('a@b.example'), REPORT);
    await using document = await startHostileServer(silent, pdf);
    const error = await catchError(document.connect({ timeoutMs: 100 }).generatePdf({ html: 'x' }));
    assert.ok(error instanceof TimeoutError && error instanceof ConnectionError);
    assert.equal(error.code, 'client_timeout');
    await document.requests[0]?.closed;
    assert.equal(document.requests.length, 1);
  });

  it('timeoutMs includes the body of JSON, however slowly its bytes arrive', async () => {
    const drip: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    };
    await using server = await startHostileServer(drip);
    const error = await catchError(
      server.connect({ timeoutMs: 150, maxRetries: 0 }).validateEmail('a@b.example'),
    );
    assert.ok(error instanceof TimeoutError);
  });

  it('totalTimeoutMs ends the call, with its retries', async () => {
    await using server = await startHostileServer(silent);
    const error = await catchError(server.connect({ totalTimeoutMs: 150 }).validateEmail('a@b.example'));
    assert.match(error.message, /totalTimeoutMs/);
    assert.equal(server.requests.length, 1);
  });

  it('an abort rejects with the reason of the signal and closes the connection', async () => {
    await using server = await startHostileServer(silent);
    const abort = new AbortController();
    const call = server.connect().validateEmail('a@b.example', {}, { signal: abort.signal });
    call.catch(() => {});
    while (server.requests.length === 0) await new Promise(setImmediate);
    abort.abort(new RangeError('stop'));
    await assert.rejects(Promise.resolve(call), new RangeError('stop'));
    await server.requests[0]?.closed;
    await assert.rejects(
      Promise.resolve(server.connect().generatePdf({ html: '' }, { signal: abort.signal })),
      new RangeError('stop'),
    );
    assert.equal(server.requests.length, 1, 'an aborted signal sends nothing');
  });

  it('a PDF that breaks off or stalls fails its stream', async () => {
    const begin: Answer = (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 9 }).write('%PDF');
    await using broken = await startHostileServer((response, request) => {
      begin(response, request);
      setImmediate(() => response.destroy());
    });
    const half = await broken.connect().generatePdf({ html: 'x' });
    assert.ok((await catchError(half.bytes())) instanceof ConnectionError);
    await using stalled = await startHostileServer(begin);
    const slow = await stalled.connect({ timeoutMs: 100 }).generatePdf({ html: 'x' });
    assert.ok((await catchError(slow.bytes())) instanceof TimeoutError);
    const lossy = async (): Promise<Response> =>
      new Response('%PDF', { headers: { 'content-type': 'application/pdf', 'content-length': '9' } });
    const short = await stalled.connect({ fetch: lossy }).generatePdf({ html: 'x' });
    assert.match((await catchError(short.bytes())).message, /after 4 of 9 bytes/);
    const abort = new AbortController();
    const aborted = await stalled.connect().generatePdf({ html: 'x' }, { signal: abort.signal });
    const reading = aborted.bytes();
    abort.abort(new RangeError('stop'));
    await assert.rejects(reading, new RangeError('stop'));
    await using chunked = await startHostileServer((response) =>
      response.writeHead(200, { 'content-type': 'application/pdf', 'x-pdf-pages': 3 }).end('%PDF'),
    );
    const whole = await chunked.connect().generatePdf({ html: 'x' });
    assert.deepEqual([whole.pages, whole.size, (await whole.bytes()).length], [3, undefined, 4]);
  });
});

void describe('a response that is not one of the API', { concurrency: true }, () => {
  for (const [name, answer, status] of [
    ['the page of a proxy', page(403), 403],
    ['a page with status 200', page(200), 200],
    ['an empty body', json(200, undefined), 200],
    ['204', (response) => response.writeHead(204).end(), 204],
    ['JSON that is no object', json(200, 'fine'), 200],
    ['a list', json(200, [{ valid: true }]), 200],
    ['half a JSON text', (response) => response.end('{"valid":tr'), 200],
    ['an error without an identifier', json(404, { message: 'no' }), 404],
  ] as [string, Answer, number][])
    it(`${name} is unexpected_response with its status`, async () => {
      await using server = await startHostileServer(answer);
      for (const call of [
        server.connect().validateEmail('a@b.example'),
        server.connect().generatePdf({ html: 'x' }),
        server.connect().validateEmailBatch(['a@b.example']).next(),
      ]) {
        const error = await catchError(call);
        assert.deepEqual([error.code, error.status], ['unexpected_response', status]);
      }
      assert.equal(server.requests.length, 3, 'nothing is repeated');
    });

  it('a redirect is not followed: the key goes to no other address', async () => {
    await using target = await startHostileServer(ok);
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await startHostileServer(page(status, { location: `${target.url}/elsewhere` }));
      for (const call of [
        server.connect().validateEmail('a@b.example'),
        server.connect().generatePdf({ html: 'x' }),
      ]) {
        const error = await catchError(call);
        assert.equal(error.code, 'unexpected_response');
        assert.match(error.message, /a redirect to http:\/\/127\.0\.0\.1:\d+\/elsewhere/);
      }
    }
    assert.equal(target.requests.length, 0);
  });

  it('problem+json has the same members', async () => {
    const problem = {
      type: 'about:blank',
      status: 400,
      error: 'invalid_email',
      message: 'No.',
      param: 'email',
    };
    await using server = await startHostileServer(
      json(400, problem, { 'content-type': 'application/problem+json' }),
    );
    const { code, message, param } = await catchError(server.connect().validateEmail(''));
    assert.deepEqual([code, message, param], ['invalid_email', 'No.', 'email']);
  });

  for (const status of [400, 200])
    it(`an endless body with the status ${status} is not read to its end`, async () => {
      let bytes = 0;
      const flood: Answer = (response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        const more = (): void => {
          do bytes += 65_536;
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      };
      await using server = await startHostileServer(flood);
      const { code, status: found } = await catchError(server.connect().validateEmail('a@b.example'));
      assert.deepEqual([code, found], ['unexpected_response', status]);
      await server.requests[0]?.closed;
      assert.ok(bytes < 64 * 1024 * 1024, `${bytes} bytes`);
    });
});

void describe('the options of a client', () => {
  const at = { apiKey: 'k', baseUrl: 'http://127.0.0.1:1' };

  it('come from UTILITY_API_KEY and UTILITY_API_URL; white space at the ends of a key is removed', async () => {
    await using server = await startHostileServer(ok);
    process.env['UTILITY_API_KEY'] = ' ua_test_env\n';
    process.env['UTILITY_API_URL'] = `${server.url}/prefix/`;
    try {
      await new UtilityApi().validateEmail('a+b@c.example');
    } finally {
      delete process.env['UTILITY_API_KEY'];
      delete process.env['UTILITY_API_URL'];
    }
    const [request] = server.requests;
    assert.equal(request?.url, '/prefix/v1/email/validate?email=a%2Bb%40c.example');
    assert.equal(request.headers['x-api-key'], 'ua_test_env');
    assert.match(String(request.headers['user-agent']), /^utility-api-client\/\d+\.\d+\.\d+$/);
  });

  it('that are missing or not valid are named, and the key is in no message', () => {
    for (const [options, message] of [
      [{ baseUrl: at.baseUrl }, /apiKey or the variable UTILITY_API_KEY/],
      [{ apiKey: 'k' }, /baseUrl or the variable UTILITY_API_URL/],
      [{ ...at, baseUrl: 'api.example.com' }, /baseUrl must be/],
      [{ ...at, baseUrl: 'ftp://api.example.com' }, /baseUrl must be/],
      [{ ...at, baseUrl: 'https://u:p@api.example.com' }, /baseUrl must be/],
      [{ ...at, timeoutMs: 0 }, /timeoutMs must be/],
      [{ ...at, maxRetries: -1 }, /maxRetries must be/],
    ] as const)
      assert.throws(() => new UtilityApi(options), message);
    const secret = (error: Error): boolean => !inspect(error).includes('hunter2');
    assert.throws(() => new UtilityApi({ ...at, apiKey: 'hunter2\r\nx-evil: 1' }), secret);
    assert.doesNotMatch(
      inspect(new UtilityApi({ ...at, apiKey: 'hunter2' }), { depth: 9, showHidden: true }),
      /hunter2/,
    );
  });

  it('fetch replaces the global one', async () => {
    const seen: string[] = [];
    const api = new UtilityApi({
      ...at,
      async fetch(url, init) {
        seen.push(`${init?.method} ${new Request(url).url} ${init?.redirect}`);
        return Response.json(REPORT);
      },
    });
    assert.equal((await api.validateEmail('x')).valid, true);
    assert.deepEqual(seen, ['GET http://127.0.0.1:1/v1/email/validate?email=x manual']);
  });

  it('a refused connection says so', async () => {
    const reserved = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => reserved.once('listening', resolve));
    const { port } = reserved.address() as { port: number };
    await new Promise((resolve) => reserved.close(resolve));
    connect(port, '127.0.0.1').on('error', () => {});
    const api = new UtilityApi({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    assert.match((await catchError(api.validateEmail('x'))).message, /ECONNREFUSED/);
  });

  it('an error that no caller awaits is one unhandled rejection, and a handled one is none', async () => {
    await using server = await startHostileServer(failWith(400, 'invalid_email'));
    const unhandled: unknown[] = [];
    const listen = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', listen);
    try {
      await catchError(server.connect().validateEmail('').withResponse());
      await catchError(server.connect().validateEmail(''));
      await server
        .connect()
        .validateEmail('')
        .catch(() => {});
      await server
        .connect()
        .validateEmail('')
        .finally(() => {})
        .catch(() => {});
      await new Promise(setImmediate);
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });
});
