/** Responses that are larger than the caller accepts, of servers that misbehave. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ClientOptions, UtilityApi } from '../src/index.ts';
import { type Answer, type HostileServer, startHostileServer } from './hostile-server.ts';

const TOO_LARGE = {
  code: 'unexpected_response',
  status: 200,
  message: 'The response has more than 1000 bytes (maxResponseBytes).',
};
const AT_MOST: ClientOptions = { maxResponseBytes: 1_000 };
const row = (size: number): string => `{"email":"${'a'.repeat(size - 13)}"}\n`;

/** Answers with these bytes, with or without their length. */
function send(type: string, body: string | Buffer, headers: Record<string, string | number> = {}): Answer {
  return (response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body);
}

/** Answers without an end, and counts what was sent. */
function flood(type: string, part: string): { answer: Answer; count: () => number } {
  let bytes = 0;
  return {
    answer: (response) => {
      response.writeHead(200, { 'content-type': type });
      const more = (): void => {
        do bytes += part.length;
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
    },
    count: () => bytes,
  };
}

async function readRows(api: UtilityApi, count: number): Promise<number> {
  const emails = Array.from({ length: count }, () => 'a@b.example');
  return (await Array.fromAsync(api.validateEmailBatch(emails))).length;
}

/** Asserts that a server sent little before the client closed its connection. */
async function assertBounded(server: HostileServer, count: () => number): Promise<void> {
  await server.requests[0]?.closed;
  assert.ok(count() < 32 * 1024 * 1024, `${count()} bytes`);
}

void describe('maxResponseBytes', { concurrency: true }, () => {
  it('limits a result', async () => {
    await using server = await startHostileServer(
      send('application/json', row(1_000)),
      send('application/json', row(1_001)),
    );
    const api = server.connect(AT_MOST);
    assert.equal((await api.validateEmail('a@b.example')).email.length, 987);
    await assert.rejects(Promise.resolve(api.validateEmail('a@b.example')), TOO_LARGE);
    assert.equal(server.requests.length, 2, 'nothing is repeated');
  });

  it('limits a result after decompression', async () => {
    const bomb = gzipSync(`{"title":"${' '.repeat(40_000_000)}"}`);
    await using server = await startHostileServer(
      send('application/json', bomb, { 'content-encoding': 'gzip' }),
    );
    await assert.rejects(Promise.resolve(server.connect().getMetadata('https://a.example')), {
      message: 'The response has more than 16777216 bytes (maxResponseBytes).',
    });
  });

  it('limits each row of a batch, not their sum', async () => {
    const rows = row(900).repeat(20);
    await using server = await startHostileServer(
      send('application/x-ndjson', rows),
      send('application/x-ndjson', row(900) + row(1_001)),
    );
    const api = server.connect(AT_MOST);
    assert.equal(await readRows(api, 20), 20);
    await assert.rejects(readRows(api, 2), TOO_LARGE);
  });

  it('limits the blank lines between rows', async () => {
    const { answer, count } = flood('application/x-ndjson', '\n'.repeat(65_536));
    await using server = await startHostileServer(answer);
    await assert.rejects(readRows(server.connect(), 1), { code: 'unexpected_response' });
    await assertBounded(server, count);
  });

  it('limits a PDF: at once if its size is announced, else when it is read', async () => {
    const whole = `%PDF${'x'.repeat(996)}`;
    await using server = await startHostileServer(
      send('application/pdf', whole, { 'content-length': 1_000 }),
      send('application/pdf', `${whole}x`, { 'content-length': 1_001 }),
    );
    const api = server.connect(AT_MOST);
    assert.equal((await (await api.generatePdf({ html: 'x' })).bytes()).length, 1_000);
    await assert.rejects(Promise.resolve(api.generatePdf({ html: 'x' })), TOO_LARGE);
    const { answer, count } = flood('application/pdf', 'x'.repeat(65_536));
    await using endless = await startHostileServer(answer);
    const pdf = await endless.connect(AT_MOST).generatePdf({ html: 'x' });
    await assert.rejects(pdf.bytes(), TOO_LARGE);
    await assertBounded(endless, count);
  });

  it('is an option of a call too, and Infinity turns it off', async () => {
    await using server = await startHostileServer(send('application/json', row(20_000_000)));
    const api = server.connect(AT_MOST);
    const options = { maxResponseBytes: Infinity };
    assert.ok((await api.validateEmail('a@b.example', {}, options)).email.length > 16 * 1024 * 1024);
    for (const maxResponseBytes of [0, -1, Number.NaN])
      assert.throws(() => server.connect({ maxResponseBytes }), /^TypeError: maxResponseBytes must be/);
  });
});

void describe('the bytes of a PDF', () => {
  it('that arrive in many small parts are joined', async () => {
    const expected = Buffer.from(Array.from({ length: 200_003 }, (_, n) => n % 251));
    const split = async (): Promise<Response> => {
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (at === expected.length) return controller.close();
          controller.enqueue(new Uint8Array(expected.subarray(at, (at += 7))));
          at = Math.min(at, expected.length);
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/pdf' } });
    };
    await using server = await startHostileServer();
    const pdf = await server.connect({ fetch: split }).generatePdf({ html: 'x' });
    assert.ok(expected.equals(await pdf.bytes()));
  });
});
