/** The client on the real service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readAttachmentNames } from '../../test/pdf/support/read-pdf.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import { ConnectionError, encodeAttachment, UtilityApi, UtilityApiError } from '../src/index.ts';

const NOW = Date.now();

let service: TestApp;
let api: UtilityApi;
let site: Server;
let page: string;

before(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(`<title>${request.url}</title>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  // The minute of the rate limit does not end.
  service = await startApp(
    { ...WITH_BROWSER, EGRESS_ALLOW_CIDRS: '127.0.0.1/32', PLANS: 'free=60,business=6000' },
    { now: () => NOW },
  );
  api = new UtilityApi({ apiKey: await service.createKey(), baseUrl: service.url });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  site.close();
});

const toList = async <T>(rows: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(rows);
const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `user${n}@example.com`);

describe('a client of the service', () => {
  it('validates an address with its options, percent-encoded', async () => {
    const result = await api.validateEmail(' ann+ü%26&b@gmial.com', { details: true, check_mx: false });
    assert.equal(result.email, 'ann+ü%26&b@gmial.com');
    assert.equal(result.did_you_mean, 'ann+ü%26&b@gmail.com');
    assert.equal(result.details?.sub_address, 'ü%26&b');
    const odd = await api.validateEmail('a\ud800@example.com', { check_mx: false });
    assert.equal(odd.email, 'a\ufffd@example.com', 'half a character is not sent');
  });

  it('returns the rate limit and the id of the request with the data', async () => {
    const call = api.validateEmail('ann@gmial.com', { check_mx: false });
    const { data, rateLimit, requestId, status, headers } = await call.withResponse();
    assert.equal(data.valid, (await call).valid);
    assert.equal(status, 200);
    assert.equal(requestId, headers.get('x-request-id'));
    assert.equal(rateLimit?.limit, 6_000);
    assert.ok(rateLimit.remaining < 6_000 && rateLimit.resetAt.getTime() > NOW);
  });

  it('throws the error of the service with its code, status, param and id', async () => {
    await assert.rejects(
      Promise.resolve(api.getMetadata('https://example.com/', { timeout: 1 })),
      (error: unknown) => {
        assert.ok(error instanceof UtilityApiError && !(error instanceof ConnectionError));
        const { code, status, param, requestId, rateLimit } = error;
        assert.deepEqual(
          [code, status, param, rateLimit?.limit],
          ['invalid_parameter', 400, 'timeout', 6_000],
        );
        assert.ok(requestId);
        return true;
      },
    );
    const stranger = new UtilityApi({ apiKey: 'ua_live_wrong', baseUrl: `${service.url}/` });
    for (const call of [
      stranger.validateEmail('a@b.example'),
      stranger.generatePdf({ html: 'x' }),
      stranger.validateEmailBatch(['a@b.example']).next(),
    ])
      await assert.rejects(Promise.resolve(call), { code: 'unauthorized', status: 401 });
  });

  it('validates any number of addresses in their order, from any iterable', async () => {
    const remaining: number[] = [];
    const rows = await toList(
      api.validateEmailBatch(
        new Set(addresses(2_345)),
        { check_mx: false },
        { onResponse: ({ rateLimit }) => remaining.push(rateLimit?.remaining ?? -1) },
      ),
    );
    assert.deepEqual(
      rows.map(({ email }) => email),
      addresses(2_345),
    );
    assert.deepEqual(
      remaining.map((left) => (remaining[0] ?? 0) - left),
      [0, 1_000, 1_345],
    );
    async function* read(): AsyncGenerator<string> {
      yield* addresses(2);
    }
    assert.equal((await toList(api.validateEmailBatch(read(), { check_mx: false }))).length, 2);
    assert.deepEqual(await toList(api.validateEmailBatch([])), []);
  });

  it('sends batches no larger than the plan and what is left of its minute', async () => {
    const small = new UtilityApi({ apiKey: await service.createKey('free'), baseUrl: service.url });
    await small.validateEmail('ann@example.com', { check_mx: false });
    const sizes: number[] = [];
    const rows: string[] = [];
    await assert.rejects(
      async () => {
        const batch = small.validateEmailBatch(
          addresses(70),
          { check_mx: false },
          { maxRetries: 0, onResponse: ({ rateLimit }) => sizes.push(rateLimit?.remaining ?? -1) },
        );
        for await (const { email } of batch) rows.push(email);
      },
      { code: 'rate_limit_exceeded', status: 429 },
    );
    // One unit is that of the request above, and one that of the refusal of 70 addresses.
    assert.deepEqual(rows, addresses(58));
    assert.deepEqual(sizes, [0]);
  });

  it('reads the metadata of a page, and of many with an error for each that fails', async () => {
    assert.equal((await api.getMetadata(`${page}/a?b=c+d&e`)).title, '/a?b=c+d&e');
    const urls = [...Array.from({ length: 101 }, (_, n) => `${page}/${n}`), 'nowhere', `${page}/last`];
    const rows = await toList(api.getMetadataBatch(urls, { details: true }));
    assert.deepEqual(
      rows.map(({ index, url }) => [index, url]),
      urls.map((url, index) => [index, url]),
    );
    assert.deepEqual(
      rows.slice(100).map((row) => (row.error ? [row.error.error, row.error.param] : row.title)),
      ['/100', ['invalid_url', 'url'], '/last'],
    );
  });

  it('renders a PDF: its pages, its warnings, and its bytes at once or as they arrive', async (t) => {
    const html = `<h1>Bill</h1><img src="http://gone.example/a.png"><img src="http://gone.example/b, The c.png">
      <p style="break-before:page">2`;
    const pdf = await api.generatePdf({ html, footer_html: '{{page}}' });
    assert.deepEqual([pdf.pages, pdf.warningCount, pdf.warnings.length], [2, 2, 2]);
    assert.match(pdf.warnings[1] ?? '', /^The image .* could not be reached: /);
    const bytes = await pdf.bytes();
    assert.equal(bytes.length, pdf.size);
    assert.equal(Buffer.from(bytes).toString('latin1', 0, 5), '%PDF-');
    const folder = await mkdtemp(join(tmpdir(), 'client-pdf-'));
    t.after(() => rm(folder, { recursive: true }));
    const again = await api.generatePdf({ html: 'x' });
    await writeFile(join(folder, 'x.pdf'), again.stream);
    assert.equal((await readFile(join(folder, 'x.pdf'))).length, again.size);
    await (await api.generatePdf({ html: 'x' })).cancel();
  });

  it('attaches the bytes of the caller to a PDF', async () => {
    const attachments = [
      await encodeAttachment('rows.csv', 'Zürich;5 €\n', { media_type: 'text/csv', relationship: 'data' }),
      await encodeAttachment('logo.bin', new Blob([new Uint8Array(70_000).fill(255)])),
    ];
    const pdf = await api.generatePdf({ html: '<h1>Report', attachments });
    const bytes = Buffer.from(await pdf.bytes());
    assert.deepEqual((await readAttachmentNames(bytes)).toSorted(), ['logo.bin', 'rows.csv']);
    const sizes = [...bytes.toString('latin1').matchAll(/\/Size (14|70000)\b/g)].map(([, size]) => size);
    assert.deepEqual(new Set(sizes), new Set(['14', '70000']));
  });
});
