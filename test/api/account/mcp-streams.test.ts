/** /mcp over real sockets: memory of bodies and results, and clients that disconnect or are slow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ShareKind } from '#limits';
import { openSignedIn, startAccountServer, type AccountServer } from '../account-server.ts';
import { patientMs } from '../../support/patience.ts';

/** More than the buffers of a connection hold. */
const LARGE_PDF_BYTES = 15_000_001;

describe('/mcp', () => {
  let server: AccountServer;
  let key: string;
  let port: number;
  const running: AbortSignal[] = [];
  const hang = (signal: AbortSignal): Promise<never> => {
    running.push(signal);
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  };
  before(async () => {
    server = await startAccountServer({
      generatePdf: async (request, _caller, signal) => {
        if (request.html === 'hang') await hang(signal);
        const pdf = Buffer.alloc(LARGE_PDF_BYTES, 'pdf');
        return { pdf, pages: 1, lane: 'static', warnings: [] };
      },
      getMetadata: (_request, _caller, signal) => hang(signal),
    });
    const browser = await openSignedIn(server, 'mcp@example.com');
    key = (await browser.post('/account/keys', { name: 'mcp' })).body.secret;
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    port = (server.app.server.address() as AddressInfo).port;
  });
  after(() => server.close());

  function open(headers: Record<string, string | number> = {}): ClientRequest {
    const request = sendHttp({
      port,
      path: '/mcp',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    });
    request.on('error', () => {});
    return request;
  }

  const formatCall = (name: string, args: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

  async function read(response: IncomingMessage): Promise<string> {
    return Buffer.concat((await response.toArray()) as Buffer[]).toString();
  }

  /** Resolves when the account holds nothing any more. */
  async function waitForRelease(): Promise<void> {
    for (const kind of ['bodyBytes', 'pdfRequests', 'metadataRequests'] as const)
      await waitForHeld(kind, (held) => held === 0);
  }

  async function waitForHeld(kind: ShareKind, check: (held: number) => boolean): Promise<void> {
    const deadline = performance.now() + patientMs(10_000);
    while (!check(server.shares.getState(kind).held)) {
      assert.ok(performance.now() < deadline, `${kind}: ${server.shares.getState(kind).held} are held`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  for (const [tool, args] of [
    ['generatePdf', { html: 'hang' }],
    ['getMetadata', { url: 'https://example.com' }],
  ] as const)
    it(`a client that disconnects ends the work of ${tool}, and returns its places`, async () => {
      running.length = 0;
      const request = open();
      request.end(formatCall(tool, args));
      while (running.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const [signal] = running;
      request.destroy();
      if (signal && !signal.aborted) await once(signal, 'abort');
      await waitForRelease();
    });

  it('a body is counted against the account while it arrives, and released when the client disconnects', async () => {
    const request = open({ 'content-length': 30_000_000 });
    request.write(`{"x":"${'x'.repeat(1_000_000)}`);
    await waitForHeld('bodyBytes', (held) => held >= 1_000_000);
    request.destroy();
    await waitForRelease();
  });

  it('a PDF is held until a slow client has read it, and is whole', async () => {
    const request = open();
    request.end(formatCall('generatePdf', { html: 'large' }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(server.shares.getState('bodyBytes').held, LARGE_PDF_BYTES);
    assert.equal(server.shares.getState('pdfRequests').held, 1);
    const { result } = JSON.parse(await read(response)) as {
      result: { content: [{ resource: { blob: string } }] };
    };
    const pdf = Buffer.from(result.content[0].resource.blob, 'base64');
    assert.ok(pdf.equals(Buffer.alloc(LARGE_PDF_BYTES, 'pdf')));
    await waitForRelease();
  });

  it('a PDF is released when its slow client disconnects', async () => {
    const request = open();
    request.end(formatCall('generatePdf', { html: 'large' }));
    await once(request, 'response');
    request.destroy();
    await waitForRelease();
  });

  it('a body over the limit is refused by its announced length', async () => {
    const announced = open({ 'content-length': 400_000_000 });
    announced.flushHeaders();
    const [refusal] = (await once(announced, 'response')) as [IncomingMessage];
    assert.equal(refusal.statusCode, 413);
    assert.match(await read(refusal), /"payload_too_large".*111\.4 MiB \(116,828,844 bytes\)/);
    announced.destroy();
    await waitForRelease();
  });

  it('a fault in a body that arrives slowly is answered before its end', async () => {
    const request = open({ 'content-length': 1_000_000 });
    request.write(`{"params":${'['.repeat(100)}`);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 400);
    assert.match(await read(response), /params is nested more than 64 deep/);
    request.destroy();
  });
});
