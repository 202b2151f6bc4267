/**
 * Calls each operation of a service on 127.0.0.1. The smoke test runs it in the network of the container:
 * `node call-service.ts <port> <key> [drain]`. With `drain`, it prints "sent" once a long document was sent,
 * and waits for its PDF.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';

const [port = '', key = '', mode] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}`;
const headers = { 'x-api-key': key };

if (mode === 'drain') await renderLongDocument();
else await callEachOperation();

async function callEachOperation(): Promise<void> {
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { parts: { browser: object } };
  console.log(`readyz: ${JSON.stringify(ready)}`);
  const email = await fetch(`${url}/v1/email/validate?email=ann@gmial.com&check_mx=false`, { headers });
  assert.equal(((await email.json()) as { did_you_mean: string }).did_you_mean, 'ann@gmail.com');
  const page = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Fetched</title><script>document.title = "Rendered"</script>');
  });
  await once(page.listen(8080, '127.0.0.9'), 'listening');
  for (const [query, title] of [
    ['', 'Fetched'],
    ['&render=true', 'Rendered'],
  ] as const) {
    const meta = await fetch(`${url}/v1/meta?url=http://127.0.0.9:8080/${query}`, { headers });
    assert.equal(((await meta.json()) as { title: string }).title, title);
  }
  page.close();
  page.closeAllConnections();
  const pdf = await fetch(`${url}/v1/pdf/generate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    // A script takes the lane with a renderer of its own; the characters need several fonts.
    body: JSON.stringify({ html: '<p>Hello, 世界, नमस्ते 😀<script>document.title = "x"</script>' }),
  });
  assert.equal(pdf.status, 200);
  assert.equal(pdf.headers.get('x-pdf-pages'), '1');
  const bytes = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
  const fonts = [...new Set(bytes.match(/\/BaseFont ?\/[A-Z]{6}\+[\w-]+/g))].map(
    (name) => name.split('+')[1],
  );
  console.log(`fonts of the PDF: ${fonts.join(', ')}`);
  // Fonts that are no TrueType are embedded without a name.
  for (const font of ['Tinos-Regular', 'NotoSansDevanagari-Regular'])
    assert.ok(fonts.includes(font), `${font} is one of the fonts`);
  const dashboard = await fetch(url);
  assert.match(await dashboard.text(), /<script/);
  console.log('each operation and the dashboard responded');
}

async function renderLongDocument(): Promise<void> {
  const body = JSON.stringify({ html: '<p style="break-after: page">A page'.repeat(300) });
  const sent = request(`${url}/v1/pdf/generate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  // The service has the request when it says so; before, a stop could close the connection unread.
  sent.setHeader('expect', '100-continue');
  sent.once('continue', () => sent.end(body, () => console.log('sent')));
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['x-pdf-pages'], '300');
  response.resume();
  await once(response, 'end');
  console.log('the document in flight was finished');
}
