/** Malformed requests: each gets its 4xx or a closed connection, never a 5xx, and none hangs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { connect, type Socket } from 'node:net';
import { MAX_PDF_BODY_BYTES } from '#http';
import { parseAnswers, sendRaw } from '../support/raw-http.ts';
import { scaledMs } from '../support/patience.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';

interface Row {
  id: string;
  shape: string;
  raw: string;
  statuses: string[];
  errors: string[];
}

const rows: Row[] = readFileSync(new URL('../vectors/malformed-requests.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('id\t'))
  .map((line) => {
    const [id = '', shape = '', raw = '', status = '', error = ''] = line.split('\t');
    return { id, shape, raw, statuses: status.split('|'), errors: error.split('|') };
  });

/** The escapes of the file: \r \n \t \\ \uXXXX stand for one byte each. */
function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_all, hex: string | undefined, char: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ({ r: '\r', n: '\n', t: '\t' }[char] ?? char),
  );
}

const head = 'host: 127.0.0.1\r\nx-api-key: KEY\r\nconnection: close\r\n';
const post = (body: string): string =>
  `POST /v1/pdf/generate HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const chunkedHead = `POST /v1/pdf/generate HTTP/1.1\r\n${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;

/** The rows that the file only describes, or holds cut short. */
const built: Record<string, string> = {
  json_deep_1k: post(`{"html":${'['.repeat(1000)}${']'.repeat(1000)}}`),
  json_deep_200k: post(`{"html":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  json_100k_keys: post(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join(',')},"html":"x"}`),
  q_50k: `GET /v1/email/validate?email=${'a'.repeat(50_000)}@b.co HTTP/1.1\r\n${head}\r\n`,
  key_long: `GET /v1/email/validate?email=a@b.co HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${'k'.repeat(8000)}\r\nconnection: close\r\n\r\n`,
  hdr_5000: `GET /healthz HTTP/1.1\r\n${head}${Array.from({ length: 5000 }, (_, n) => `x${n}: y\r\n`).join('')}\r\n`,
  hdr_idem_long: post('{"html":"x"}').replace('\r\n\r\n', `\r\nidempotency-key: ${'i'.repeat(5000)}\r\n\r\n`),
  tls_on_plain: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  pipeline_50:
    'GET /v1/email/validate?email=a@b.invalid HTTP/1.1\r\nhost: x\r\nx-api-key: KEY\r\n\r\n'.repeat(49) +
    `GET /v1/email/validate?email=a@b.invalid HTTP/1.1\r\n${head}\r\n`,
  chunk_over_limit: chunkedHead,
  chunk_ext_flood: chunkedHead,
  body_short: `POST /v1/pdf/generate HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"html":`,
  slowloris_headers: 'GET /v1/meta HTTP/1.1\r\n',
  slow_body: `POST /v1/pdf/generate HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  idle_connect: '',
  rst_mid: `POST /v1/pdf/generate HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"html":`,
};

function trickle(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 1500);
  socket.once('close', () => clearInterval(timer));
}

/** The service ends a connection without a complete request within this time. */
const CUT_MS = 10_000 + scaledMs(500);
/** On a busy machine a response takes many times as long as usual. */
const HANGS_MS = scaledMs(60_000);

/** The state of the connection after the first bytes. */
const drives: Record<string, (socket: Socket) => void> = {
  chunk_over_limit: (socket) => {
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1024 * 1024, 0x20),
      Buffer.from('\r\n'),
    ]);
    let left = Math.ceil(MAX_PDF_BODY_BYTES / chunk.length) + 4;
    const write = (): void => {
      while (left-- > 0 && !socket.destroyed)
        if (!socket.write(chunk)) return void socket.once('drain', write);
    };
    write();
  },
  chunk_ext_flood: (socket) => void socket.write(`1;${'x'.repeat(200_000)}\r\n{\r\n0\r\n\r\n`),
  body_short: (socket) => void socket.end(),
  slowloris_headers: (socket) => trickle(socket, 'x: y\r\n'),
  slow_body: (socket) => trickle(socket, ' '),
  rst_mid: (socket) => void setImmediate(() => socket.resetAndDestroy()),
};

let service: TestApp;
let key: string;

before(async () => {
  service = await startApp({ ...WITH_BROWSER, UNAUTHENTICATED_PER_MINUTE: '100000' });
  key = await service.createKey();
});
after(() => service[Symbol.asyncDispose]());

const lacksTime = (text: string): boolean =>
  parseAnswers(text).some(({ body }) => body.includes('"overloaded"') || body.includes('"timeout"'));

describe('malformed requests', { concurrency: 8 }, () => {
  for (const row of rows)
    it(`${row.id}: ${row.shape} → ${row.statuses.join(' or ')} ${row.errors.join(' or ')}`, async () => {
      const bytes = (built[row.id] ?? unescape(row.raw)).replaceAll('KEY', key);
      assert.ok(!bytes.includes('…'), 'the row is built whole');
      const drive = drives[row.id];
      const send = () =>
        sendRaw(service.port, bytes, {
          waitMs: row.shape.includes('Timeout') ? CUT_MS : HANGS_MS,
          ...(drive && { drive }),
        });
      let { text, closed } = await send();
      // A machine without time to render says so; then a client sends its document again.
      for (let tries = 1; tries < 5 && row.statuses.includes('200') && lacksTime(text); tries += 1)
        ({ text, closed } = await send());
      const answers = parseAnswers(text).filter(({ status }) => status >= 200);
      const answer = answers.at(-1);
      if (!answer)
        return assert.ok(row.statuses.includes('close') && closed, `closed without an answer: ${text}`);
      assert.ok(
        row.statuses.includes(String(answer.status)),
        `${answer.status} ${answer.body.slice(0, 200)}`,
      );
      if (answer.status >= 400 && answer.body !== '') {
        const body = JSON.parse(answer.body) as Record<string, string>;
        assert.ok(body.error && body.message && body.request_id, answer.body);
        if (!row.errors.includes('-')) assert.ok(row.errors.includes(body.error), answer.body);
        assert.equal(answer.headers.get('x-request-id'), body.request_id);
      }
      if (row.id === 'pipeline_50') assert.equal(answers.length, 50);
      assert.ok(!text.includes('<script>'), 'nothing of the input comes back as markup');
    });

  for (const version of [' HTTP/2.0', ' HTTP/0.9', ''])
    it(`a request line that ends in «${version}» is 400`, async () => {
      const { text } = await sendRaw(
        service.port,
        `GET /v1/email/validate?email=a@b.invalid${version}\r\n${head.replaceAll('KEY', key)}\r\n`,
      );
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, 400, text);
      assert.match(answer.body, /"error":"invalid_parameter".*HTTP\/1\.1/);
    });

  // What `curl -X POST` without -d sends: no length at all means no body (RFC 9112 §6.3), and nothing to wait
  // for.
  for (const [path, error] of [
    ['/v1/pdf/generate', 'missing_html'],
    ['/v1/email/validate/batch', 'invalid_json'],
    ['/account/sign-in', 'invalid_json'],
    ['/nowhere', 'not_found'],
  ] as const)
    it(`POST ${path} that announces no body is ${error} at once`, async () => {
      const { text } = await sendRaw(
        service.port,
        `POST ${path} HTTP/1.1\r\n${head.replaceAll('KEY', key)}sec-fetch-site: same-origin\r\ncontent-type: application/json\r\n\r\n`,
      );
      assert.match(parseAnswers(text)[0]?.body ?? '', new RegExp(`"error":"${error}"`), text);
    });

  for (const path of ['/', '/healthz', '/nowhere'])
    it(`POST ${path} is 404, whatever its body`, async () => {
      for (const [type, body] of [
        ['application/json', ''],
        ['application/json', '{"html":'],
        ['application/json', '{"__proto__":{}}'],
        ['text/plain', 'x'],
      ]) {
        const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
          method: 'POST',
          headers: { 'content-type': type ?? '' },
          body: body ?? '',
        });
        assert.equal(answer.status, 404);
        assert.equal(((await answer.json()) as { error: string }).error, 'not_found');
      }
    });

  for (const path of ['/assets/', '/account/keys/', '/account/try/', '/v1/email/'])
    it(`a long part of a path below ${path} gets the same error body as others`, async () => {
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}${'a'.repeat(8000)}`, {
        headers: { 'x-api-key': key },
      });
      assert.ok(answer.status === 404 || answer.status === 401, String(answer.status));
      const { request_id } = (await answer.json()) as { request_id: string };
      assert.equal(answer.headers.get('x-request-id'), request_id);
    });

  it('a non-ASCII character or a blank in the request line is 400, and the message says to encode it', async () => {
    for (const value of ['j\u00c3\u00bcrgen@b.invalid', 'a b@b.invalid']) {
      const { text } = await sendRaw(
        service.port,
        `GET /v1/email/validate?email=${value} HTTP/1.1\r\n${head.replaceAll('KEY', key)}\r\n`,
      );
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, 400, text);
      assert.match(answer.body, /percent-encode/);
    }
  });

  it('an invalid Host is 400; names, addresses and an empty Host are valid', async () => {
    const ask = async (host: string): Promise<number | undefined> => {
      const { text } = await sendRaw(
        service.port,
        `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      );
      return parseAnswers(text)[0]?.status;
    };
    for (const host of ['a b', 'a/b', 'a@b', '"x"', 'a:b', '[::1', 'evil.test"><script>'])
      assert.equal(await ask(host), 400, host);
    for (const host of ['', 'a_b.example:80', '127.0.0.1:3000', '[::1]:3000', 'xn--bcher-kva.example', 'x:'])
      assert.equal(await ask(host), 200, host);
  });
});

describe('after many malformed requests', () => {
  it('a client that reads only after it has sent all of a refused body gets the refusal', async () => {
    // The service reads for two seconds, in which a busy machine may not have sent all.
    let status: number | undefined;
    for (let tries = 0; tries < 5 && status === undefined; tries += 1)
      status = await sendAllThenRead().catch(() => undefined);
    assert.equal(status, 415);
  });

  async function sendAllThenRead(): Promise<number | undefined> {
    const bytes = 20_000_000;
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.write(
      `POST /v1/pdf/generate HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: text/plain\r\ncontent-length: ${bytes}\r\n\r\n`,
    );
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(bytes, 'x'), () => resolve());
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(socket, 'close');
    return parseAnswers(Buffer.concat(chunks).toString('latin1'))[0]?.status;
  }

  it('afterwards the service responds as before', async () => {
    const answer = await service.call('/v1/email/validate?email=a@b.invalid', key);
    assert.equal(answer.status, 200);
  });
});
