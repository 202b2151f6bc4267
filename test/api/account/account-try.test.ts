/**
 * /account/try over real sockets: the key comes before the body, and the body is read once, by the operation.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as sendHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { PdfRequest } from '#pdf';
import { openSignedIn, startAccountServer, type AccountServer, type Browser } from '../account-server.ts';

/** More than the buffers of a connection hold. */
const LARGE_PDF_BYTES = 30_000_000;

const REPORT = {
  valid: true,
  disposable: false,
  mxFound: false,
  formatValid: true,
  didYouMean: null,
  domain: 'b.co',
  freeProvider: false,
};

interface Render {
  request: PdfRequest;
  signal: AbortSignal;
}

describe('/account/try', () => {
  let server: AccountServer;
  let browser: Browser;
  let keyId: string;
  let port: number;
  const renders: Render[] = [];
  const visits: AbortSignal[] = [];
  const waitForAbort = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  before(async () => {
    server = await startAccountServer({
      generatePdf: async (request, _caller, signal) => {
        renders.push({ request, signal });
        if (request.html === 'hang') await waitForAbort(signal);
        const bytes = request.html === 'large' ? LARGE_PDF_BYTES : 300_000;
        return { pdf: Buffer.alloc(bytes, 'pdf'), pages: 1, lane: 'static', warnings: [] };
      },
      getMetadata: (_request, _caller, signal) => {
        visits.push(signal);
        return waitForAbort(signal);
      },
      validateEmails: async function* ({ requests }) {
        for (const { email } of requests) yield { ...REPORT, email };
      },
    });
    browser = await openSignedIn(server, 'try@example.com');
    keyId = (await browser.post('/account/keys', { name: 'tried' })).body.key.id;
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    port = (server.app.server.address() as AddressInfo).port;
  });
  after(() => server.close());

  function open(path: string, headers: Record<string, string | number> = {}): ClientRequest {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const request = sendHttp({
      port,
      path: `/account/try/${path}`,
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie, ...headers },
    });
    request.on('error', () => {});
    return request;
  }

  async function read(request: ClientRequest) {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks = (await response.toArray()) as Buffer[];
    const data = Buffer.concat(chunks);
    const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
    return {
      status: response.statusCode,
      headers: response.headers,
      data,
      error: isJson ? (JSON.parse(data.toString()) as { error: string; param?: string }) : null,
    };
  }

  it('the key is checked before any byte of the body is read', async () => {
    for (const operation of ['generatePdf', 'validateEmail'])
      for (const query of ['', '?key_id=', '?key_id=key_nobody', '?key_id=a&key_id=b', '?key=a']) {
        const request = open(operation + query, { 'content-length': 10_000_000 });
        request.flushHeaders();
        const { status, error } = await read(request);
        assert.ok(status === 404 || status === 400, `${query}: ${status}`);
        assert.equal(error?.param, query === '?key=a' ? 'key' : 'key_id');
        request.destroy();
      }
  });

  it('calls without a valid key count against the limit of changes', async () => {
    const stranger = await openSignedIn(server, 'limits@example.com');
    const statuses = new Set<number>();
    for (let n = 0; n < 130; n++) statuses.add((await stranger.post('/account/try/generatePdf')).status);
    assert.deepEqual([...statuses], [404, 429]);
    const own = (await browser.post(`/account/try/validateEmail?key_id=${keyId}`, { email: 'a@b.co' }))
      .status;
    assert.equal(own, 200, 'others are not affected');
  });

  for (const length of [10, 300_000, 2_000_000])
    it(`${length} bytes of html reach the operation, announced or chunked, and its PDF comes back whole`, async () => {
      for (const isAnnounced of [true, false]) {
        const html = 'ä'.repeat(length / 2);
        const body = Buffer.from(JSON.stringify({ html }));
        const request = open(
          `generatePdf?key_id=${keyId}`,
          isAnnounced ? { 'content-length': body.length } : {},
        );
        for (let at = 0; at < body.length; at += 50_001) request.write(body.subarray(at, at + 50_001));
        request.end();
        const { status, headers, data } = await read(request);
        assert.deepEqual([status, headers['content-type'], data.length], [200, 'application/pdf', 300_000]);
        assert.equal(headers['content-length'], '300000');
        assert.ok(headers['x-ratelimit-limit']);
        assert.equal(renders.at(-1)?.request.html, html);
        assert.equal(server.shares.getState('bodyBytes').held, 0, 'everything is returned');
      }
    });

  it('a batch of addresses comes back as lines, and each counts toward the limit of the key', async () => {
    const request = open(`validateEmailBatch?key_id=${keyId}`, { accept: 'application/x-ndjson' });
    request.end(JSON.stringify({ emails: ['a@b.co', 'c@d.co'], check_mx: false }));
    const { status, headers, data } = await read(request);
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson; charset=utf-8']);
    const lines = data.toString().trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { email: string }).email),
      ['a@b.co', 'c@d.co'],
    );
    const next = open(`validateEmail?key_id=${keyId}`);
    next.end('{"email":"a@b.co"}');
    const { headers: after } = await read(next);
    const left = Number(headers['x-ratelimit-remaining']);
    assert.equal(Number(after['x-ratelimit-remaining']), left - 1);
    assert.ok(left <= Number(headers['x-ratelimit-limit']) - 2, 'both counted');
  });

  it('a batch has its own limits: an empty one is refused by the operation', async () => {
    for (const [operation, param] of [
      ['validateEmailBatch', 'emails'],
      ['getMetadataBatch', 'urls'],
    ]) {
      const request = open(`${operation}?key_id=${keyId}`);
      request.end(JSON.stringify({ [param ?? '']: [] }));
      const { status, error } = await read(request);
      assert.deepEqual([status, error?.error, error?.param], [400, 'invalid_parameter', param]);
    }
  });

  it('while a body arrives, its bytes are held once', async () => {
    const request = open(`generatePdf?key_id=${keyId}`, { 'content-length': 3_000_000 });
    request.write(Buffer.from(`{"html":"${'x'.repeat(1_000_000)}`));
    const { held } = await poll(
      () => server.shares.getState('bodyBytes'),
      ({ held }) => held >= 1_000_000,
    );
    assert.ok(held < 1_100_000, String(held));
    request.destroy();
    await poll(
      () => server.shares.getState('bodyBytes'),
      ({ held }) => held === 0,
    );
    await poll(
      () => server.shares.getState('pdfRequests'),
      ({ held }) => held === 0,
    );
  });

  it('the operation refuses a body while it arrives, and the client reads why', async () => {
    const request = open(`generatePdf?key_id=${keyId}`, { 'content-length': 30_000_000 });
    request.write('{"html":"x","y":[');
    const timer = setInterval(() => request.write(Buffer.alloc(100_000, '[')), 5);
    const { status, error } = await read(request);
    clearInterval(timer);
    request.destroy();
    assert.deepEqual([status, error?.error], [400, 'invalid_json']);
  });

  it('a body over the limit is 413: of the PDF by its announced length, of the others over 64 KiB', async () => {
    for (const [operation, length] of [
      ['generatePdf', 400_000_000],
      ['validateEmail', 65_537],
      ['getMetadata', 65_537],
    ] as const) {
      const request = open(`${operation}?key_id=${keyId}`, { 'content-length': length });
      request.flushHeaders();
      const { status, error } = await read(request);
      assert.deepEqual([status, error?.error], [413, 'payload_too_large'], operation);
      request.destroy();
    }
  });

  it('a client that disconnects ends the render, and every place is returned', async () => {
    const request = open(`generatePdf?key_id=${keyId}`);
    request.end('{"html":"hang"}');
    const isHanging = ({ request }: Render): boolean => request.html === 'hang';
    await poll(
      () => renders.some(isHanging),
      (isRunning) => isRunning,
    );
    request.destroy();
    await poll(
      () => renders.find(isHanging)?.signal.aborted ?? false,
      (isAborted) => isAborted,
    );
    await poll(
      () => server.shares.getState('pdfRequests'),
      ({ held }) => held === 0,
    );
    await poll(
      () => server.shares.getState('bodyBytes'),
      ({ held }) => held === 0,
    );
  });

  it('a PDF is held until a slow client has read it', async () => {
    const request = open(`generatePdf?key_id=${keyId}`);
    request.end('{"html":"large"}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(server.shares.getState('bodyBytes').held, LARGE_PDF_BYTES);
    assert.equal(server.shares.getState('pdfRequests').held, 1);
    assert.equal(Buffer.concat((await response.toArray()) as Buffer[]).length, LARGE_PDF_BYTES);
    for (const kind of ['bodyBytes', 'pdfRequests'] as const)
      await poll(
        () => server.shares.getState(kind),
        ({ held }) => held === 0,
      );
  });

  it('a PDF is released when its slow client disconnects', async () => {
    const request = open(`generatePdf?key_id=${keyId}`);
    request.end('{"html":"large"}');
    await once(request, 'response');
    assert.equal(server.shares.getState('bodyBytes').held, LARGE_PDF_BYTES);
    request.destroy();
    for (const kind of ['bodyBytes', 'pdfRequests'] as const)
      await poll(
        () => server.shares.getState(kind),
        ({ held }) => held === 0,
      );
  });

  it('a client that disconnects ends the fetch of a page', async () => {
    const request = open(`getMetadata?key_id=${keyId}`);
    request.end('{"url":"https://example.com"}');
    await poll(
      () => visits.length,
      (count) => count === 1,
    );
    request.destroy();
    await poll(
      () => visits[0]?.aborted ?? false,
      (isAborted) => isAborted,
    );
    await poll(
      () => server.shares.getState('metadataRequests'),
      ({ held }) => held === 0,
    );
  });

  it('a body of single bytes in chunks ends early with 400', async () => {
    const request = open(`generatePdf?key_id=${keyId}`, { 'transfer-encoding': 'chunked' });
    request.flushHeaders();
    const [socket] = (await once(request, 'socket')) as [Socket];
    await once(socket, 'connect');
    socket.write('1\r\na\r\n'.repeat(20_000));
    const { status, error } = await read(request);
    assert.deepEqual([status, error?.error], [400, 'invalid_parameter']);
    request.destroy();
  });

  it('afterwards the same connection and key work as before', async () => {
    for (let n = 0; n < 3; n++) {
      const request = open(`generatePdf?key_id=${keyId}`);
      request.end('{"html":""}');
      const { status, error } = await read(request);
      assert.deepEqual([status, error?.error], [400, 'missing_html']);
    }
  });
});

/** Waits until the value is as it should be. */
async function poll<T>(get: () => T, isDone: (value: T) => boolean): Promise<T> {
  for (let left = 1_000; left > 0 && !isDone(get()); left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const value = get();
  assert.ok(isDone(value), JSON.stringify(value));
  return value;
}
