import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserKeeper } from '#browser';
import { ApiError } from '#errors';
import type { GeneratedPdf } from './pdf-job.ts';
import { parsePdfRequest } from './pdf-request.ts';
import { TemplateThreads } from './liquid/template-threads.ts';
import { DocumentWorker } from './worker/document-worker.ts';
import { KnownGlyphs } from './warnings/glyph-check.ts';
import { TemplateHeights } from './print/check-templates.ts';
import { generatePdf } from './generate-pdf.ts';

type Options = Parameters<typeof generatePdf>[2];

/** Renders in a browser without pages. `requested` gets the owner whose page was requested. */
function render(
  body: Record<string, unknown>,
  { requested = [], ...options }: Partial<Options> & { requested?: (string | null)[] },
): Promise<GeneratedPdf> {
  const acquire = (ownerId: string | null): Promise<never> => {
    requested.push(ownerId);
    return Promise.reject(new Error('no pages'));
  };
  const running = {
    browser: { renders: 0, accounts: [], isLost: true, ping: () => Promise.resolve(true) },
    pool: { acquireOwned: acquire, acquireFresh: () => acquire(null) },
  };
  const keeper = {
    greedy: { has: () => false, get: () => undefined },
    ensureRunning: () => Promise.resolve(running),
    replaceIfOld() {},
    replaceIfUnresponsive: () => Promise.resolve(),
  } as unknown as BrowserKeeper;
  return generatePdf(keeper, parsePdfRequest(body), {
    keyId: 'key',
    client: 'account',
    worker: new DocumentWorker(),
    templateThreads: new TemplateThreads(),
    signal: undefined,
    watch: undefined,
    openResourceFetcher: () => () => Promise.resolve({ failure: 'is not served' }),
    glyphs: new KnownGlyphs(),
    heights: new TemplateHeights(),
    rendererMemoryMb: 1_000,
    timeoutMs: 1_000,
    now: () => 0,
    ...options,
  });
}

const SCRIPTED = '<p>x<script>1</script>';

async function findPageOwner(
  body: Record<string, unknown>,
  options: Partial<Options> = {},
): Promise<string | null> {
  const requested: (string | null)[] = [];
  await assert.rejects(render(body, { requested, ...options }), /no pages/);
  assert.equal(requested.length, 1);
  return requested[0] ?? null;
}

void it('cancels the requests of a document whose header is refused', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const rendering = render(
    { html: '<img src=http://a.example/a.png>', header_html: '<link rel=stylesheet href=http://a.example/>' },
    {
      openResourceFetcher: () => (request, signal) => {
        if (!request.url.endsWith('.png')) return Promise.resolve({ failure: 'is not served' });
        signals.push(signal);
        return new Promise(() => {});
      },
    },
  );
  await assert.rejects(rendering, /header_html/);
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true],
  );
});

void describe('the invoice of a request', () => {
  const rsm = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
  const facturx = (inside: string) => ({
    xml: `<r:CrossIndustryInvoice xmlns:r="${rsm}">${inside}</r:CrossIndustryInvoice>`,
    profile: 'BASIC',
  });

  for (const [name, inside, worker] of [
    ['a short one, on the main thread', '', null],
    ['a long one, in the thread of the document', ' '.repeat(100_000), new DocumentWorker()],
  ] as const)
    void it(`is checked before a page is used: ${name}`, async () => {
      const requested: string[] = [];
      const options = { requested, ...(worker && { worker }) };
      await assert.rejects(render({ html: 'x', facturx: facturx(inside) }, options), {
        code: 'invalid_parameter',
        param: 'facturx.xml',
        message: /has 0 guideline ids/,
      });
      assert.deepEqual(requested, []);
      assert.equal(worker?.threads ?? 1, 1);
      await worker?.close();
    });
});

void describe('the page of a document', () => {
  void it('belongs to its API key, not to its account, in the static lane', async () => {
    assert.equal(await findPageOwner({ html: '<p>x' }), 'key');
  });

  void it('belongs to its API key in the warm lane, apart from pages without scripts', async () => {
    assert.equal(await findPageOwner({ html: SCRIPTED }), 'key warm');
    assert.equal(await findPageOwner({ html: '<p>x', wait_for: 0 }), 'key warm');
  });

  void it('is used by documents of one language for Han characters only', async () => {
    assert.equal(await findPageOwner({ html: `<p lang=ja>x${SCRIPTED}` }), 'key warm ja ');
    assert.equal(await findPageOwner({ html: `<p lang=ja>x<p lang=zh-TW>${SCRIPTED}` }), null);
    assert.equal(await findPageOwner({ html: `${SCRIPTED}<style>p{-webkit-locale:"ja"}` }), null);
  });

  void it('has no owner if another document may have its origin, or if its clock is set', async () => {
    assert.equal(await findPageOwner({ html: SCRIPTED, base_url: 'https://site.example/' }), null);
    assert.equal(await findPageOwner({ html: SCRIPTED, now: '2026-11-23T09:30:00Z' }), null);
    assert.equal(await findPageOwner({ html: SCRIPTED, timezone: 'Europe/Berlin' }), null);
  });

  void it('has no owner with PDF_PROCESS_PER_DOCUMENT', async () => {
    const each = { processPerDocument: true };
    assert.equal(await findPageOwner({ html: SCRIPTED }, each), null);
    assert.equal(await findPageOwner({ html: '<p>x' }, each), null);
  });
});

void it('passes the reason of an abort on as it is, also between several documents', async () => {
  const reclaimed = new ApiError('overloaded', 'Another account needs the place.', { retryAfterSeconds: 1 });
  const body = { html: 'a', more_documents: [{ html: 'b' }] };
  await assert.rejects(
    render(body, { signal: AbortSignal.abort(reclaimed) }),
    (error) => error === reclaimed,
  );
});
