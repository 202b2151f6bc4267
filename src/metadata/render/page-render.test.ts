import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasTurnTime } from '#concurrency';
import { MetadataReader } from '../page/metadata-reader.ts';
import { createRenderBudget, renderIfWanted } from './page-render.ts';

const { signal } = new AbortController();

/** Renders a page if necessary, in a turn that has no time left; returns the outcome once the turn ends. */
async function renderInLongTurn(html: string): Promise<unknown> {
  const reader = new MetadataReader({ details: true });
  const head = {
    finalUrl: 'http://a.example/',
    status: 200,
    headers: new Map<string, string>(),
    redirects: [],
  };
  const body = Buffer.from(html);
  reader.start(head);
  reader.write(body);
  reader.finish();
  const page = {
    fetched: { head, end: 'complete' as const, visit: { redirects: [], state: null } },
    scanned: reader.page!,
    joinBody: () => body,
    requested: new URL(head.finalUrl),
    mayNavigate: true,
    getRemainingMs: () => 9_000,
    identity: { language: null, userAgent: 'bot' as const },
    budget: createRenderBudget(),
  };
  let outcome: unknown = 'none yet';
  while (!(await nextTurn(hasTurnTime())));
  while (hasTurnTime());
  const rendering = renderIfWanted(() => Promise.resolve({ kind: 'failed' }), 'auto', page, signal);
  void rendering.then((value) => (outcome = value));
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
  const found = outcome;
  await rendering;
  return found;
}

it('a large page is searched for a shell in a turn that has time, a small one at once', async () => {
  const shell = '<script src=a></script><div id=app></div>';
  assert.deepEqual(await renderInLongTurn(`<!doctype html>${shell}`), { kind: 'failed' });
  assert.equal(
    await renderInLongTurn(`<!doctype html><style>${' '.repeat(20_000)}</style>${shell}`),
    'none yet',
  );
});
