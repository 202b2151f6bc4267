/** One line per request: every id that a client saw is in the log once, and nothing that a client sent is. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { parseAnswers, type RawAnswer, sendRaw } from '../support/raw-http.ts';
import { isFullRun } from '../support/sample.ts';
import { type LoggedService, type LogLine, startLoggedService } from '../support/logged-service.ts';
import { patientMs } from '../support/patience.ts';

/** In every part of a request that a client can choose; no line of the log contains it. */
const MARK = 'hunter2zq';
const ADDRESS = '203.0.113.77';
/** Headers of each request: a secret in each that the service reads, and in one that it does not know. */
const SECRETS = [
  'host: localhost',
  `user-agent: ${MARK}`,
  `referer: https://${MARK}.example/${MARK}`,
  `origin: https://${MARK}.example`,
  `cookie: session=${MARK}; better-auth.session_token=${MARK}.${MARK}`,
  `authorization: Bearer ${MARK}`,
  `accept: text/html, ${MARK}/x`,
  `x-forwarded-for: ${ADDRESS}`,
  `x-request-id: ${MARK}`,
  `traceparent: ${MARK}`,
  `x-${MARK}: ${MARK}`,
].join('\r\n');

interface Case {
  name: string;
  bytes: string;
  /** Members of its line. */
  line: Partial<Record<string, unknown>>;
}

function get(target: string, line: Case['line'], headers = ''): Case {
  const bytes = `GET ${target} HTTP/1.1\r\n${SECRETS}\r\n${headers}connection: close\r\n\r\n`;
  return { name: `GET ${target}`, bytes, line: { method: 'GET', ...line } };
}

function post(path: string, body: string, line: Case['line'], headers = ''): Case {
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return {
    name: `POST ${path} ${body.slice(0, 40)}`,
    bytes: `POST ${path} HTTP/1.1\r\n${SECRETS}\r\n${headers}${head}connection: close\r\n\r\n${body}`,
    line: { method: 'POST', ...line },
  };
}

/** The requests with a valid key, by the headers that carry it. */
function withKey(key: string, keyId: string): Case[] {
  const own = `x-api-key: ${key}\r\n`;
  const email = '/v1/email/validate';
  const invalid = { status: 400, error: 'invalid_parameter', keyId };
  return [
    get(`${email}?email=${MARK}%40${MARK}.invalid`, { route: email, status: 200, keyId }, own),
    get(`${email}?email=${MARK}&${MARK}=1`, { ...invalid, param: 'unknown' }, own),
    get(`${email}?email=a@b.c&check_mx=${MARK}`, { ...invalid, param: 'check_mx' }, own),
    get(`/v1/meta?url=ftp://${MARK}.example`, { route: '/v1/meta', error: 'invalid_url' }, own),
    get(`/v1/meta?url=http://${MARK}.example/${MARK}`, { status: 422, error: 'unreachable' }, own),
    get(`/v1/${MARK}/${MARK}%2f?${MARK}`, { route: 'unknown', status: 404, error: 'not_found' }, own),
    {
      ...get(email, {}),
      line: { method: 'DELETE', route: email, status: 405 },
      bytes: `DELETE ${email} HTTP/1.1\r\n${SECRETS}\r\n${own}connection: close\r\n\r\n`,
    },
    post('/v1/pdf/generate', `{"html":"<p>${MARK}","${MARK}":1}`, { ...invalid, param: 'unknown' }, own),
    post('/v1/pdf/generate', `{"html":"<p>${MARK}</p>"}`, { status: 503, level: 40 }, own),
    post('/v1/pdf/generate', `{"html":"${MARK}`, { status: 400, error: 'invalid_json' }, own),
    post(`${email}/batch`, `{"emails":["${MARK}@b.invalid"],"${MARK}":0}`, { param: 'unknown' }, own),
    post(`${email}/batch`, `{"emails":["${MARK}@b.invalid"]}`, { status: 200, keyId }, own),
    post('/v1/meta/batch', `{"urls":["http://${MARK}.example"]}`, { status: 200, keyId }, own),
  ];
}

const WITHOUT_KEY: Case[] = [
  get('/v1/meta?url=http://a.example', { status: 401, error: 'unauthorized', keyId: undefined }),
  get('/v1/meta', { status: 401 }, `x-api-key: ua_live_${MARK}\r\n`),
  get(`/${MARK}/${MARK}`, { route: 'unknown', status: 404 }),
  get(`/assets/${MARK}.js`, { route: 'unknown', status: 404 }),
  get(`/sign-in?next=${MARK}`, { route: '/sign-in' }),
  get(`/account/keys?${MARK}`, { route: '/account/keys', status: 401 }),
  post('/account/sign-in', `{"email":"${MARK}@example.com","password":"${MARK} ${MARK}"}`, { status: 401 }),
  post('/account/sign-up', `{"email":"${MARK}@example.com","password":"${MARK} ${MARK}"}`, {}),
  post('/account/reset-password', `{"token":"${MARK}","password":"${MARK} ${MARK}"}`, {}),
  post('/account/sign-in', `{"${MARK}":"${MARK}`, {}),
];

/** Requests that the HTTP parser refuses, and bodies that are cut off. */
const MALFORMED: Case[] = [
  { name: 'a request line that is none', bytes: `${MARK}\r\n\r\n`, line: { status: 400, method: null } },
  { name: 'an unknown method', bytes: `${MARK.toUpperCase()} / HTTP/1.1\r\n\r\n`, line: { status: 400 } },
  {
    name: 'a head over 16 KiB',
    bytes: `GET /v1/meta HTTP/1.1\r\nhost: localhost\r\nx-a: ${MARK.repeat(2000)}\r\n\r\n`,
    line: { status: 431, route: 'unknown', error: 'invalid_parameter' },
  },
  {
    name: 'a bad header',
    bytes: `GET / HTTP/1.1\r\nhost: localhost\r\n${MARK}\r\n\r\n`,
    line: { status: 400 },
  },
  {
    name: 'no Host',
    bytes: `GET /v1/meta?url=${MARK} HTTP/1.1\r\nconnection: close\r\n\r\n`,
    line: { status: 400, method: 'GET' },
  },
  {
    name: 'a chunk that is none',
    bytes: `POST /account/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${MARK}\r\n`,
    line: { method: 'POST', route: '/account/sign-in' },
  },
];

const SLOW: Case = {
  name: 'a head that does not end',
  bytes: `GET /${MARK} HTTP/1.1\r\nhost: localhost\r\n`,
  line: { status: 408, error: 'timeout', method: null },
};

describe('the log of requests', () => {
  let service: LoggedService;
  const answers = new Map<Case, RawAnswer[]>();
  let lines: LogLine[] = [];

  before(async () => {
    service = await startLoggedService({ TRUST_PROXY: '127.0.0.1/32', SIGNUPS: 'open' });
    const { port, key, keyId } = service;
    const slow = isFullRun ? [SLOW] : [];
    const cases = [...withKey(key, keyId), ...WITHOUT_KEY, ...MALFORMED, ...slow];
    await Promise.all(
      cases.map(async (one) => {
        const { text } = await sendRaw(port, one.bytes, { waitMs: patientMs(15_000) });
        answers.set(one, parseAnswers(text));
      }),
    );
    await disconnectEarly(port, key);
    await sendRaw(port, 'GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    assert.equal(await service.stop(), 0);
    lines = service.getLines();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
  });

  /** Sends half a body, and a request whose work takes long, and closes the connections. */
  async function disconnectEarly(port: number, key: string): Promise<void> {
    const head = `host: localhost\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\nx-api-key: ${key}`;
    const person = `{"email":"${MARK}@example.com","password":"${MARK} ${MARK}"}`;
    const halves = [
      `POST /v1/email/validate/batch HTTP/1.1\r\n${head}\r\ncontent-length: 900\r\n\r\n{"emails":["${MARK}`,
      // The hash of the password takes longer than the end of the connection.
      `POST /account/sign-in HTTP/1.1\r\n${head}\r\ncontent-length: ${person.length}\r\n\r\n${person}`,
    ];
    for (const bytes of halves) {
      const socket = connect(port, '127.0.0.1');
      socket.write(bytes, () => socket.destroy());
      await once(socket, 'close');
    }
  }

  const findLines = (id: string | undefined): LogLine[] =>
    lines.filter(({ requestId, msg }) => requestId === id && msg.startsWith('request '));

  it('every X-Request-Id is in exactly one line, with its status and its error', () => {
    let count = 0;
    for (const [{ name, line }, received] of answers) {
      assert.equal(received.length, 1, name);
      const { status, headers, body } = received[0] as RawAnswer;
      const found = findLines(headers.get('x-request-id'));
      assert.equal(found.length, 1, `${name}: ${found.length} lines`);
      const entry = found[0] as LogLine;
      const { error } = body.startsWith('{"error"') ? (JSON.parse(body) as { error: string }) : {};
      assert.equal(entry['status'], status, name);
      assert.equal(entry['error'], error, name);
      assert.ok(entry.level >= 30);
      for (const [member, value] of Object.entries(line)) assert.equal(entry[member], value, name);
      count += 1;
    }
    assert.ok(count >= 29, `${count} requests`);
  });

  it('nothing that a client sent is in it', () => {
    const text = service.getText().toLowerCase();
    assert.ok(lines.length > 30);
    for (const secret of [MARK, service.key.toLowerCase(), ADDRESS, '@example.com'])
      assert.equal(
        text.split('\n').find((line) => line.includes(secret)),
        undefined,
      );
  });

  it('a client that disconnects before the response has one line with the status 499', () => {
    const gone = lines.filter(({ status }) => status === 499);
    assert.ok(gone.length === 1 || gone.length === 2);
    assert.ok(gone.every((line) => line['disconnected'] === true && line['error'] === undefined));
    assert.equal(gone.filter(({ route }) => route === '/account/sign-in').length, 1);
    // The end of a connection within a body is a fault of the message if the parser sees it first.
    const received = new Set([...answers.values()].flat().map(({ headers }) => headers.get('x-request-id')));
    const unseen = lines.filter(({ requestId }) => typeof requestId === 'string' && !received.has(requestId));
    assert.deepEqual(
      unseen.map(({ route }) => route),
      ['/v1/email/validate/batch', '/account/sign-in'],
    );
  });

  it('a failure of the service is one line above info, with its cause', () => {
    const failed = lines.filter(({ status }) => status === 503);
    assert.equal(failed.length, 1);
    assert.equal(failed[0]?.msg, 'request failed');
    const cause = failed[0]?.['err'] as { stack?: string } | undefined;
    assert.match(cause?.stack ?? '', /\n/);
  });

  it('probes are not in it at info', () => {
    assert.deepEqual(
      lines.filter(({ route }) => route === '/readyz'),
      [],
    );
  });

  it('a line has these members and no others', () => {
    const members = new Set(
      lines.filter(({ msg }) => msg.startsWith('request ')).flatMap((line) => Object.keys(line)),
    );
    const known =
      'cause disconnected err error hostname keyId level method ms msg param pid requestId route status time';
    assert.equal([...members].toSorted().join(' '), known);
  });
});
