import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserKeeper } from '#browser';
import { parsePdfRequest } from '../pdf-request.ts';
import { DocumentWorker } from '../worker/document-worker.ts';
import { KnownGlyphs } from '../warnings/known-glyphs.ts';
import { TemplateHeights } from './template-heights.ts';
import { renderDocument } from './render-document.ts';

/** Renders in a browser without pages, and returns the owner whose page was requested. */
async function findPageOwner(body: Record<string, unknown>): Promise<string | null> {
  const requested: (string | null)[] = [];
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
  const rendering = renderDocument(keeper, parsePdfRequest(body), {
    keyId: 'key',
    accountId: 'account',
    worker: new DocumentWorker(),
    signal: undefined,
    openResourceFetcher: () => () => Promise.resolve({ failure: 'is not served' }),
    glyphs: new KnownGlyphs(),
    heights: new TemplateHeights(),
    rendererMemoryMb: 1_000,
    timeoutMs: 1_000,
    now: () => 0,
  });
  await assert.rejects(rendering, /no pages/);
  assert.equal(requested.length, 1);
  return requested[0] ?? null;
}

void describe('the page of a document', () => {
  void it('belongs to its API key, not to its account, in the static lane', async () => {
    assert.equal(await findPageOwner({ html: '<p>x' }), 'key');
  });

  void it('has no owner in the fresh lane', async () => {
    assert.equal(await findPageOwner({ html: '<p>x<script>1</script>' }), null);
    assert.equal(await findPageOwner({ html: '<p>x', wait_for: 0 }), null);
  });
});
