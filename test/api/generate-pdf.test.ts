import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readPdf } from '../pdf/support/read-pdf.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

describe('POST /v1/pdf/generate', () => {
  let service: TestApp;
  let key: string;
  let site: Server;
  const seen: string[] = [];
  before(async () => {
    site = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/css' }).end('p::after{content:" styled from afar"}');
    }).listen(0, '127.0.0.3');
    await new Promise((resolve) => site.once('listening', resolve));
    service = await startApp({ EGRESS_ALLOW_CIDRS: '127.0.0.3/32' });
    key = await service.createKey();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    site.closeAllConnections();
    site.close();
  });

  const generate = (body: object): Promise<Response> =>
    service.call('/v1/pdf/generate', key, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  async function read(body: object): ReturnType<typeof readPdf> {
    const answer = await generate(body);
    assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text());
    return readPdf(new Uint8Array(await answer.arrayBuffer()));
  }

  it('200: the PDF with all its headers', async () => {
    const answer = await generate({ html: '<title>Hi</title><h1>Hello</h1>' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200);
    assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
    const headers = Object.fromEntries(
      [
        'content-type',
        'content-length',
        'content-disposition',
        'x-pdf-pages',
        'x-content-type-options',
        'cache-control',
      ].map((name) => [name, answer.headers.get(name)]),
    );
    assert.deepEqual(headers, {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': 'inline; filename="document.pdf"',
      'x-pdf-pages': '1',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    assert.ok(answer.headers.has('x-ratelimit-remaining'));
  });

  it('200: page numbers in header and footer', async () => {
    const pdf = await read({
      html: '<p>one</p><p style="break-before:page">two</p>',
      header_html: 'Report',
      footer_html: 'Page {{page}} of {{ pages }}',
    });
    assert.deepEqual(pdf.pages.length, 2);
    assert.match(pdf.pages[1]?.text ?? '', /Report/);
    assert.match(pdf.pages[1]?.text ?? '', /Page 2 of 2/);
  });

  it('200: size and orientation', async () => {
    const [page] = (await read({ html: 'x', page_size: 'A5', orientation: 'landscape' })).pages;
    assert.ok(
      Math.abs((page?.width ?? 0) - 595.3) < 1 && Math.abs((page?.height ?? 0) - 419.5) < 1,
      JSON.stringify(page),
    );
  });

  it('200: a stylesheet at an allowed address is fetched by the service, one at another address is left out', async () => {
    const { port } = site.address() as AddressInfo;
    const pdf = await read({
      html: `<link rel=stylesheet href="http://127.0.0.3:${port}/style.css"><link rel=stylesheet href="http://127.0.0.1:${service.port}/healthz"><p>text</p>`,
    });
    assert.match(pdf.pages[0]?.text ?? '', /text styled from afar/);
    assert.deepEqual(seen, ['/style.css']);
  });

  it('the file name is in a valid Content-Disposition header', async () => {
    const answer = await generate({ html: 'x', filename: 'Angebot "für" 20%.pdf' });
    await answer.arrayBuffer();
    assert.equal(
      answer.headers.get('content-disposition'),
      'inline; filename="Angebot _f_r_ 20_.pdf"; filename*=UTF-8\'\'Angebot%20%22f%C3%BCr%22%2020%25.pdf',
    );
  });

  it('422: a document that navigates itself away', async () => {
    const answer = await generate({ html: '<script>location.href="about:blank"</script>x' });
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { error: string }).error],
      [422, 'render_failed'],
    );
  });

  it('408: a document that never ends', async () => {
    await using strict = await startApp({ PDF_TIMEOUT_MS: '1000' });
    const strictKey = await strict.createKey();
    const answer = await strict.call('/v1/pdf/generate', strictKey, {
      method: 'POST',
      body: JSON.stringify({ html: '<script>while(1);</script>' }),
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [408, 'timeout']);
  });
});
