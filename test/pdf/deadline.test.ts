/** The time of a document whose pages are being laid out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNFINISHED } from '../../src/pdf/warnings/warnings.ts';
import { generate, openEngine } from './support/open-engine.ts';
import { scaledMs } from '../support/patience.ts';
import { measureSlowness } from './support/measure-slowness.ts';

const SHORT_MS = scaledMs(3_000);
const PAGES = 40;
/** All pages take about twice the time of the document on an idle machine. */
const PAGE_MS = 150;
const LOOP_MS = scaledMs(1_000);

/** Returns how often the machine computes a sine in a millisecond now. */
function measureSpeed(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let work = 0; work < 5e6; work += 1) sum += Math.sin(work);
  return (5e6 + (sum > 1e9 ? 1 : 0)) / (performance.now() - startedAt);
}

/** Adds pages as libraries that paginate do: some work, then a page, then the next turn. */
const formatPaginator = (
  work: number,
): string => `<style>div { break-after: page }</style><body><script>(async () => {
  for (let page = 1; page <= ${PAGES}; page += 1) {
    let sum = 0;
    for (let work = 0; work < ${work}; work += 1) sum += Math.sin(work);
    document.body.append(Object.assign(document.createElement('div'), { textContent: 'page ' + page, title: sum }));
    await new Promise((resolve) => setTimeout(resolve));
  }
})()</script>`;

void describe('the deadline of a document', () => {
  void it('is extended while its scripts lay out pages', async () => {
    await using engine = await openEngine({ smallDocumentMs: SHORT_MS, timeoutMs: 60_000 });
    const { pages, warnings } = await generate(engine, {
      html: formatPaginator(Math.round(measureSpeed() * PAGE_MS)),
    });
    assert.deepEqual([pages, warnings], [PAGES, []]);
  });

  void it('is over while scripts still add content: a warning says that the end is missing', async () => {
    await using engine = await openEngine({ smallDocumentMs: 2 * SHORT_MS, timeoutMs: 2 * SHORT_MS });
    const work = Math.round(measureSpeed() * 20);
    const { warnings } = await generate(engine, {
      html: `<body><script>let sum = 0; setInterval(() => { for (let at = 0; at < ${work}; at += 1) sum += Math.sin(at); for (let at = 0; at < 5; at += 1) document.body.append(document.createElement("i")) }, 20)</script>`,
    });
    assert.deepEqual(warnings, [UNFINISHED]);
  });

  void it('is not reached by a list that requests its next part again and again', async () => {
    const sent = { status: 200, headers: [], body: Buffer.from('part') };
    await using engine = await openEngine({
      timeoutMs: 60_000,
      openResourceFetcher:
        () =>
        ({ url }) =>
          Promise.resolve({ url, ...sent }),
    });
    const { warnings } = await generate(engine, {
      base_url: 'https://site.example/',
      html: '<body><script>(async function next() { await fetch("part"); for (let at = 0; at < 200; at += 1) document.body.append(document.createElement("i")); setTimeout(next, 500) })()</script>',
    });
    assert.deepEqual(warnings, []);
  });

  void it('is not extended for a loop, and its error names the time of each phase', async () => {
    await using engine = await openEngine({ smallDocumentMs: LOOP_MS, timeoutMs: 60_000 });
    const slowness = await measureSlowness(engine);
    const startedAt = performance.now();
    await assert.rejects(generate(engine, { html: '<script>for(;;);</script>' }), {
      code: 'timeout',
      message: new RegExp(
        `within ${LOOP_MS / 1_000} s \\(loading took \\d+(?:\\.\\d)? s, printing 0 s\\): check its scripts for loops`,
      ),
    });
    assert.ok(performance.now() - startedAt < LOOP_MS + 9_000 * slowness);
  });
});
