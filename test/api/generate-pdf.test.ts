import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readPdf } from '../pdf/support/read-pdf.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';

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
    service = await startApp({ ...WITH_BROWSER, EGRESS_ALLOW_CIDRS: '127.0.0.3/32' });
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

  /** Returns the values of each header of the response: fetch() joins repeated ones. */
  async function generateHeaders(body: object): Promise<NodeJS.Dict<string[]>> {
    const sent = request(`${service.url}/v1/pdf/generate`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    assert.equal(response.statusCode, 200);
    return response.headersDistinct;
  }

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
        'x-pdf-warnings',
        'x-pdf-warning',
        'x-content-type-options',
        'cache-control',
      ].map((name) => [name, answer.headers.get(name)]),
    );
    assert.deepEqual(headers, {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': 'inline; filename="document.pdf"',
      'x-pdf-pages': '1',
      'x-pdf-warnings': '0',
      'x-pdf-warning': null,
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

  describe('with resources that cannot be loaded', () => {
    const DEAD = 'could not be reached: its name does not resolve, or its host does not answer.';
    const hosts = [
      '10.0.0.1',
      '127.0.0.1:8080',
      '127.0.0.1',
      'a.invalid',
      'intranet',
      '[::1]:80',
      '192.0.2.1',
    ];
    const images = hosts.map((host) => `<img src="http://${host}/secret-${'x'.repeat(9)}.png">`).join('');

    it('200: X-PDF-Warnings counts the warnings, X-PDF-Warning has the first five', async () => {
      const headers = await generateHeaders({ html: `${images}<img src=logo.png><p>text` });
      assert.deepEqual(headers['x-pdf-warnings'], ['8']);
      const warnings = hosts
        .map((host) => `The image http://${host.replace(/:80$/, '')}/secret-xxxxxxxxx.png ${DEAD}`)
        .sort();
      assert.deepEqual(headers['x-pdf-warning'], warnings.slice(0, 5));
    });

    it('422: with strict, any warning is render_failed, and the message names the first three', async () => {
      const answer = await generate({ html: `${images}<p>text`, strict: true });
      assert.equal(answer.status, 422);
      assert.equal(answer.headers.get('x-pdf-warnings'), null);
      const { error, message } = (await answer.json()) as { error: string; message: string };
      assert.equal(error, 'render_failed');
      assert.match(
        message,
        /^The document has warnings, which strict refuses: (?:The image \S+ could not be reached: [^.]+\. ){3}There are 4 more warnings\.$/,
      );
    });

    it('200 and 422: the password of a URL is in no warning and no error', async () => {
      const image = '<img src="http://user:secret@a.invalid/a.png">';
      const failing = '<script>new Request("http://user:secret@a.invalid/data.json")</script>';
      for (const html of [image, image + failing]) {
        const { 'x-pdf-warning': warnings = [] } = await generateHeaders({ html, header_html: image });
        assert.ok(warnings[0]?.startsWith('The image http://a.invalid/a.png could not'), String(warnings));
        assert.equal(warnings.length, html === image ? 1 : 2);
        const refused = await generate({ html, strict: true });
        assert.equal(refused.status, 422);
        for (const text of [...warnings, await refused.text()]) assert.doesNotMatch(text, /secret|user:/);
      }
    });

    it('200: with strict, a document without warnings', async () => {
      const answer = await generate({ html: '<p>text', strict: true });
      await answer.arrayBuffer();
      assert.equal(answer.status, 200);
    });
  });

  it('the file name is in a valid Content-Disposition header', async () => {
    const answer = await generate({ html: 'x', filename: 'Angebot "für" 20%.pdf' });
    await answer.arrayBuffer();
    assert.equal(
      answer.headers.get('content-disposition'),
      'inline; filename="Angebot _f_r_ 20_.pdf"; filename*=UTF-8\'\'Angebot%20%22f%C3%BCr%22%2020%25.pdf',
    );
  });

  it('422: a document that navigates away', async () => {
    const answer = await generate({ html: '<script>location.href="about:blank"</script>x' });
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { error: string }).error],
      [422, 'render_failed'],
    );
  });

  it('408: a document that never ends', async () => {
    await using strict = await startApp({ ...WITH_BROWSER, PDF_TIMEOUT_MS: '1000' });
    const strictKey = await strict.createKey();
    const answer = await strict.call('/v1/pdf/generate', strictKey, {
      method: 'POST',
      body: JSON.stringify({ html: '<script>while(1);</script>' }),
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [408, 'timeout']);
  });
});
