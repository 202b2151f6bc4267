/** Every response under /v1: limit headers, request id, the shape of errors, the order of checks. */
import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { parseAnswers, sendRaw } from '../support/raw-http.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { scaledMs } from '../support/patience.ts';

interface ErrorBody {
  error: string;
  message: string;
  param?: string;
  request_id: string;
}

const json = { 'content-type': 'application/json' };

describe('every response under /v1', () => {
  let service: TestApp;
  let key: string;
  before(async () => {
    service = await startApp({ UNAUTHENTICATED_PER_MINUTE: '1000' });
    key = await service.createKey('business');
  });
  after(() => service[Symbol.asyncDispose]());

  async function expectError(
    path: string,
    withKey: string | null,
    init: RequestInit,
    status: number,
    error: string,
    param?: string,
  ): Promise<Response> {
    const answer = await service.call(path, withKey, init);
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(answer.headers.get('vary'), 'accept', 'the media type depends on Accept');
    const body = JSON.parse(text) as ErrorBody;
    assert.deepEqual(
      Object.keys(body).sort(),
      ['error', 'message', ...(param ? ['param'] : []), 'request_id'].sort(),
    );
    assert.deepEqual([body.error, body.param], [error, param]);
    assert.equal(body.request_id, answer.headers.get('x-request-id'));
    assert.ok(body.message.length > 10 && !/\bat \/|node_modules|\.ts:/.test(body.message));
    return answer;
  }

  const cases: [
    name: string,
    path: string,
    keyed: boolean,
    init: RequestInit,
    status: number,
    error: string,
    param?: string,
  ][] = [
    ['401 without a key', '/v1/email/validate?email=a@b.co', false, {}, 401, 'unauthorized'],
    ['401 for an unknown path without a key', '/v1/nothing', false, {}, 401, 'unauthorized'],
    ['404 for an unknown path with a key', '/v1/nothing', true, {}, 404, 'not_found'],
    ['404 for /v1 itself', '/v1', true, {}, 404, 'not_found'],
    ['404 for a path that cannot be decoded', '/v1/%ZZ', true, {}, 404, 'not_found'],
    ['405 for another method', '/v1/meta', true, { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['405 for OPTIONS', '/v1/meta', true, { method: 'OPTIONS' }, 405, 'method_not_allowed'],
    ['405 for GET of the PDF', '/v1/pdf/generate', true, {}, 405, 'method_not_allowed'],
    ['405 before 415', '/v1/meta', true, { method: 'POST', body: 'x' }, 405, 'method_not_allowed'],
    [
      '415 for another media type',
      '/v1/pdf/generate',
      true,
      { method: 'POST', body: 'html=x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      '415 for a compressed body',
      '/v1/pdf/generate',
      true,
      { method: 'POST', body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
    [
      '400 for broken JSON',
      '/v1/pdf/generate',
      true,
      { method: 'POST', body: '{"html":', headers: json },
      400,
      'invalid_json',
    ],
    [
      '400 for JSON that is not UTF-8',
      '/v1/pdf/generate',
      true,
      { method: 'POST', body: Buffer.from('{"html":"\xff"}', 'latin1'), headers: json },
      400,
      'invalid_json',
    ],
    [
      '400 missing_html for an empty body',
      '/v1/pdf/generate',
      true,
      { method: 'POST', headers: json },
      400,
      'missing_html',
    ],
    [
      '400 missing_html for a JSON array',
      '/v1/pdf/generate',
      true,
      { method: 'POST', body: '[]', headers: json },
      400,
      'missing_html',
    ],
    [
      '400 invalid_email without the parameter',
      '/v1/email/validate',
      true,
      {},
      400,
      'invalid_email',
      'email',
    ],
    [
      '400 invalid_email for blanks',
      '/v1/email/validate?email=+%20+',
      true,
      {},
      400,
      'invalid_email',
      'email',
    ],
    [
      '400 invalid_email before invalid_parameter',
      '/v1/email/validate?email=&x=1',
      true,
      {},
      400,
      'invalid_email',
      'email',
    ],
    [
      '400 for a parameter that is not there',
      '/v1/email/validate?email=a@b.co&checkmx=1',
      true,
      {},
      400,
      'invalid_parameter',
      'checkmx',
    ],
    ['400 invalid_url without the parameter', '/v1/meta', true, {}, 400, 'invalid_url', 'url'],
    [
      '400 invalid_url for another protocol',
      '/v1/meta?url=ftp://example.com&x=1',
      true,
      {},
      400,
      'invalid_url',
      'url',
    ],
    [
      '400 for a timeout out of range',
      '/v1/meta?url=http://example.com&timeout=999',
      true,
      {},
      400,
      'invalid_parameter',
      'timeout',
    ],
  ];

  for (const [name, path, keyed, init, status, error, param] of cases)
    it(`${name}, with all its headers`, async () => {
      const answer = await expectError(path, keyed ? key : null, init, status, error, param);
      const limit = keyed ? 6000 : 1000;
      assert.equal(Number(answer.headers.get('x-ratelimit-limit')), limit);
      assert.ok(Number(answer.headers.get('x-ratelimit-remaining')) < limit);
      const reset = Number(answer.headers.get('x-ratelimit-reset'));
      assert.ok(reset % 60 === 0 && reset * 1000 > Date.now() && reset * 1000 <= Date.now() + 60_000);
      assert.equal(answer.headers.get('ratelimit-policy'), `"default";q=${limit};w=60`);
      const [, left, seconds] =
        /^"default";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
      assert.equal(left, answer.headers.get('x-ratelimit-remaining'));
      assert.ok(Math.abs(reset - Date.now() / 1000 - Number(seconds)) < 2, 'seconds until the reset');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    });

  it('every error is a problem if Accept prefers application/problem+json, and keeps its members', async () => {
    const accept = { accept: 'application/problem+json, application/json;q=0.9' };
    for (const [name, path, keyed, init, status, error, param] of cases) {
      const headers = { ...(init.headers as Record<string, string> | undefined), ...accept };
      const answer = await service.call(path, keyed ? key : null, { ...init, headers });
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8', name);
      const { detail, ...problem } = (await answer.json()) as Record<string, unknown>;
      const { message, ...members } = problem;
      assert.equal(detail, message, name);
      const requestId = answer.headers.get('x-request-id');
      assert.deepEqual(
        members,
        {
          type: `/reference/errors#${error}`,
          title: STATUS_CODES[status],
          status,
          instance: `/requests#${requestId}`,
          error,
          ...(param === undefined ? {} : { param }),
          request_id: requestId,
        },
        name,
      );
    }
  });

  it('405 lists the methods of the path', async () => {
    const answer = await service.call('/v1/meta', key, { method: 'DELETE' });
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
    assert.equal((await service.call('/v1/pdf/generate', key)).headers.get('allow'), 'POST');
  });

  it('every HTTP method is treated alike', async () => {
    for (const method of ['PROPFIND', 'QUERY', 'PURGE', 'LINK']) {
      const { text } = await sendRaw(
        service.port,
        `${method} /v1/meta HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
      );
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, 405, method);
      assert.ok(answer.headers.has('x-ratelimit-limit'), method);
    }
  });

  it('a trailing slash is ignored, and HEAD responds as GET without the body', async () => {
    assert.equal((await service.call('/v1/email/validate/?email=a@b.invalid', key)).status, 200);
    const head = await service.call('/v1/email/validate?email=a@b.invalid', key, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    assert.ok(head.headers.has('x-ratelimit-limit'));
  });

  it('the media type may have any case and parameters', async () => {
    const answer = await service.call('/v1/pdf/generate', key, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'Application/JSON; charset="utf-8"' },
    });
    assert.equal(((await answer.json()) as ErrorBody).error, 'missing_html');
  });

  it('a malformed message is 400 with all its headers, with any key: no Host, two, another Transfer-Encoding', async () => {
    for (const head of [
      `GET /v1/meta HTTP/1.1\r\nhost: a\r\nhost: b\r\nx-api-key: ${key}`,
      'GET /v1/meta HTTP/1.1\r\nhost: a\r\nhost: b',
      `GET /v1/meta HTTP/1.1\r\nx-api-key: ${key}`,
      `POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ntransfer-encoding: gzip, chunked`,
      `POST /v1/pdf/generate HTTP/1.0\r\nx-api-key: ${key}\r\ntransfer-encoding: chunked`,
    ]) {
      const { text } = await sendRaw(service.port, `${head}\r\nconnection: close\r\n\r\n`);
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, 400, head);
      assert.ok(answer.headers.has('x-ratelimit-limit'), head);
      assert.equal((JSON.parse(answer.body) as ErrorBody).error, 'invalid_parameter');
    }
    const outside = await sendRaw(service.port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');
    assert.equal(parseAnswers(outside.text)[0]?.status, 400);
  });

  it('a truncated body is 400 with all the headers of its path', async () => {
    for (const secret of [key, 'nobody']) {
      const { text } = await sendRaw(
        service.port,
        `POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`,
      );
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, secret === key ? 400 : 401);
      assert.ok(answer.headers.has('x-ratelimit-limit'));
      assert.equal(answer.headers.get('connection'), 'close');
    }
  });

  it('a fault after complete requests is reported after their responses, not inside one', async () => {
    const body = JSON.stringify({ emails: Array.from({ length: 20 }, (_, n) => `a@x${n}.invalid`) });
    const { text } = await sendRaw(
      service.port,
      `POST /v1/email/validate/batch HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\naccept: application/x-ndjson\r\ncontent-length: ${body.length}\r\n\r\n${body}` +
        `GET /v1/email/validate?email=a@b.invalid HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\nGARBAGE\r\n\r\n`,
    );
    const [stream = '', ...rest] = text.split(/(?=HTTP\/1\.1 )/);
    assert.equal(stream.match(/"email":/g)?.length, 20);
    assert.ok(stream.endsWith('0\r\n\r\n'));
    assert.deepEqual(
      rest.map((answer) => parseAnswers(answer)[0]?.status),
      [200, 400],
    );
  });

  it('the refusal of a malformed request is readable while more data arrives', async () => {
    const { text } = await sendRaw(service.port, 'GARBAGE\r\n', {
      drive: (socket) => {
        socket.pause();
        let left = 40;
        const timer = setInterval(() => {
          socket.write(Buffer.alloc(20_000, 0x61));
          if ((left -= 1) > 0) return;
          clearInterval(timer);
          socket.resume();
        }, 5);
      },
    });
    assert.equal(parseAnswers(text)[0]?.status, 400);
  });

  it('request ids are unique, and not those of the client', async () => {
    const ids = new Set<string | null>();
    for (let n = 0; n < 5; n++)
      ids.add(
        (await service.call('/v1/x', key, { headers: { 'x-request-id': 'mine' } })).headers.get(
          'x-request-id',
        ),
      );
    assert.equal(ids.size, 5);
    assert.ok(!ids.has('mine'));
  });

  it('Expect: 100-continue gets the refusal itself, and 100 once the request is admitted', async () => {
    const body = '{"html":""}';
    const request = (secret: string): string =>
      `POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`;
    const refused = await sendRaw(service.port, request('nobody'));
    assert.deepEqual(
      parseAnswers(refused.text).map(({ status }) => status),
      [401],
    );
    const admitted = await sendRaw(service.port, request(key), {
      drive: (socket) => socket.once('data', () => socket.write(body)),
    });
    assert.deepEqual(
      parseAnswers(admitted.text).map(({ status }) => status),
      [100, 400],
    );
    // RFC 9110 §10.1.1: HTTP/1.0 knows no 100, and another expectation asks for none.
    for (const other of [request(key).replace('/1.1', '/1.0'), request(key).replace('100-continue', 'x')])
      assert.deepEqual(
        parseAnswers((await sendRaw(service.port, other + body)).text).map(({ status }) => status),
        [400],
      );
  });

  it('a refusal is readable while the body still arrives: nothing of it is read, and the socket closes within 3 s', async () => {
    const started = Date.now();
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    const { text, closed } = await sendRaw(
      service.port,
      'POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: nobody\r\ncontent-type: application/json\r\ncontent-length: 40000000\r\n\r\n',
      {
        drive: (socket) => {
          const timer = setInterval(
            () => (socket.destroyed ? clearInterval(timer) : socket.write(chunk)),
            20,
          );
          socket.once('close', () => clearInterval(timer));
        },
      },
    );
    assert.equal(parseAnswers(text)[0]?.status, 401);
    assert.ok(closed && Date.now() - started < scaledMs(4000));
  });

  it('a body over the limit is 413 by its announced length, or by its bytes without one', async () => {
    const { text } = await sendRaw(
      service.port,
      `POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 400000000\r\n\r\n{`,
    );
    const [answer] = parseAnswers(text);
    assert.equal(answer?.status, 413);
    assert.ok(answer.headers.has('x-ratelimit-limit'));
    assert.equal((JSON.parse(answer.body) as ErrorBody).error, 'payload_too_large');
  });

  it('the 413 of a body names the cap of its own operation', async () => {
    for (const [path, cap] of [
      ['/v1/email/validate/batch', '4 MiB (4,194,304 bytes)'],
      ['/v1/meta/batch', '3 MiB (3,145,728 bytes)'],
      ['/v1/pdf/generate', '111.4 MiB (116,763,308 bytes)'],
    ] as const) {
      const { text } = await sendRaw(
        service.port,
        `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 400000000\r\n\r\n{`,
      );
      const { message } = JSON.parse(parseAnswers(text)[0]?.body ?? '') as ErrorBody;
      assert.ok(message.includes(cap), message);
    }
  });

  it('html over 5 MiB is 413', async () => {
    await expectError(
      '/v1/pdf/generate',
      key,
      { method: 'POST', body: JSON.stringify({ html: 'x'.repeat(5 * 1024 * 1024 + 1) }), headers: json },
      413,
      'payload_too_large',
      'html',
    );
  });

  it('an unknown page size is invalid_page_size, before other fields', async () => {
    await expectError(
      '/v1/pdf/generate',
      key,
      { method: 'POST', body: JSON.stringify({ html: 'x', page_size: 'a4', bogus: 1 }), headers: json },
      400,
      'invalid_page_size',
      'page_size',
    );
    await expectError(
      '/v1/pdf/generate',
      key,
      { method: 'POST', body: JSON.stringify({ html: 'x', bogus: 1 }), headers: json },
      400,
      'invalid_parameter',
      'bogus',
    );
  });

  it('an option in the query of a POST is refused, not ignored', async () => {
    const send = (body: object) => ({ method: 'POST', body: JSON.stringify(body), headers: json });
    const pdf = '/v1/pdf/generate?page_size=A3';
    await expectError(pdf, key, send({ html: 'x' }), 400, 'invalid_parameter', 'page_size');
    await expectError(pdf, key, send({}), 400, 'missing_html', 'html');
    const batch = '/v1/email/validate/batch?details=true';
    await expectError(batch, key, send({ emails: ['a@b.invalid'] }), 400, 'invalid_parameter', 'details');
    const answer = await service.call('/v1/email/validate/batch?', key, send({ emails: ['a@b.invalid'] }));
    assert.equal(answer.status, 200);
  });
});

describe('outside /v1', () => {
  it('/healthz, /readyz and /openapi.json respond without a key', async () => {
    await using service = await startApp();
    assert.deepEqual(await (await service.call('/healthz')).json(), { status: 'ok' });
    assert.ok([200, 503].includes((await service.call('/readyz')).status));
    const document = (await (await service.call('/openapi.json')).json()) as {
      openapi: string;
      paths: object;
    };
    assert.equal(document.openapi, '3.1.0');
    assert.deepEqual(Object.keys(document.paths).filter((path) => path.startsWith('/v1')).length >= 3, true);
  });
});
