import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserKeeper } from '#browser';
import { ApiError } from '#errors';
import { parsePdfRequest } from '../pdf-request.ts';
import type { GeneratedPdf } from './render-options.ts';
import { TemplateThreads } from '../liquid/template-threads.ts';
import { DocumentWorker } from '../worker/document-worker.ts';
import { KnownGlyphs } from '../warnings/glyph-check.ts';
import { TemplateHeights } from './inline-templates.ts';
import { renderDocument } from './render-document.ts';
import type { RenderOptions } from './render-options.ts';

/** Renders in a browser without pages. `requested` gets the owner whose page was requested. */
function render(
  body: Record<string, unknown>,
  { requested = [], ...options }: Partial<RenderOptions> & { requested?: (string | null)[] },
): Promise<GeneratedPdf> {
  const acquire = (ownerId: string | null): Promise<never> => {
    requested.push(ownerId);
    return Promise.reject(new Error('no pages'));
  };
  const running = {
    browser: { renders: 0, inFlight: 0, isLost: true, ping: () => Promise.resolve(true) },
    pool: { acquireOwned: acquire, acquireFresh: () => acquire(null) },
  };
  const keeper = {
    ensureRunning: () => Promise.resolve(running),
    replaceIfOld() {},
    replaceIfUnresponsive: () => Promise.resolve(),
  } as unknown as BrowserKeeper;
  return renderDocument(keeper, parsePdfRequest(body), {
    keyId: 'key',
    accountId: 'account',
    worker: new DocumentWorker(),
    templateThreads: new TemplateThreads(),
    signal: undefined,
    openResourceFetcher: () => () => Promise.resolve({ failure: 'is not served' }),
    glyphs: new KnownGlyphs(),
    heights: new TemplateHeights(),
    rendererMemoryMb: 1_000,
    timeoutMs: 1_000,
    now: () => 0,
    ...options,
  });
}

async function findPageOwner(body: Record<string, unknown>): Promise<string | null> {
  const requested: (string | null)[] = [];
  await assert.rejects(render(body, { requested }), /no pages/);
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

void describe('the page of a document', () => {
  void it('belongs to its API key, not to its account, in the static lane', async () => {
    assert.equal(await findPageOwner({ html: '<p>x' }), 'key');
  });

  void it('has no owner in the fresh lane', async () => {
    assert.equal(await findPageOwner({ html: '<p>x<script>1</script>' }), null);
    assert.equal(await findPageOwner({ html: '<p>x', wait_for: 0 }), null);
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
