/**
 * Equal requests have equal bytes also on a busy machine: documents of libraries, and documents that need
 * frames. The load is six processes that loop. All documents run with TEST_FULL=1, and a sample without.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { after, before, describe, it, type TestContext } from 'node:test';
import { isFullRun } from '../support/sample.ts';
import { FRAME_DOCUMENTS } from './documents/frames.ts';
import { LIBRARY_URL, LibrarySite } from './support/library-site.ts';
import { generate, openEngine, withoutQueue, type TestEngine } from './support/open-engine.ts';

const REQUESTS = 8;
const CALLERS = 4;
const BUSY_PROCESSES = 6;
const NOW = '2031-05-06T07:08:09Z';
/** A document waits for the loops: the deadline is far beyond what any needs. */
const TIMEOUT_MS = 600_000;

const LIBRARIES = [
  'chart-js',
  'echarts:canvas',
  'echarts:svg',
  'd3',
  'apexcharts',
  'plotly',
  'mermaid',
  'mathjax',
  'katex',
  'pagedjs',
  'leaflet',
  'react',
  'vue',
  'svelte',
];
/** Their packages are installed by full runs only. */
const MORE_LIBRARIES = [
  'highlight',
  'prism',
  'vega-lite:svg',
  'vega-lite:canvas',
  'three',
  'anime',
  'lottie',
  'qr-code',
  'barcode',
  'ag-grid',
  'tabulator',
];
const RUN_LIBRARIES = isFullRun ? [...LIBRARIES, ...MORE_LIBRARIES] : ['chart-js'];
/** Those that a run which is not full has. */
const SAMPLE = new Set(['autofocus', 'IntersectionObserver']);
/** Those that are not equal each time: their failures are no failures of the run. */
const DIFFERENT = new Set(['ag-grid']);
const TODO = 'not equal each time yet';
const RUN_FRAMES = Object.entries(FRAME_DOCUMENTS).filter(([name]) => isFullRun || SAMPLE.has(name));

let engine: TestEngine;
let site: LibrarySite | null = null;
let reason = '';
const loops: ChildProcess[] = [];

before(async () => {
  site = await LibrarySite.open({ withMore: isFullRun }).catch((error: unknown) => {
    reason = String(error);
    return null;
  });
  engine = await openEngine({
    slots: CALLERS,
    withSlot: withoutQueue,
    timeoutMs: TIMEOUT_MS,
    smallDocumentMs: TIMEOUT_MS,
    openResourceFetcher: () => (request) =>
      site?.serve(request) ?? Promise.resolve({ failure: 'is not served' }),
  });
  for (let count = 0; count < BUSY_PROCESSES; count += 1)
    loops.push(spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }));
});

after(async () => {
  for (const loop of loops) loop.kill('SIGKILL');
  await engine.close();
});

/** Sends equal requests, four at a time, and returns how often each PDF came. */
async function countPdfs(body: Record<string, unknown>): Promise<number[]> {
  const pdfs = new Map<string, number>();
  let left = REQUESTS;
  const call = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      const { pdf } = await generate(engine, body);
      const text = removeDates(pdf);
      pdfs.set(text, (pdfs.get(text) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return [...pdfs.values()].toSorted((a, b) => b - a);
}

const removeDates = (pdf: Uint8Array): string =>
  Buffer.from(pdf)
    .toString('latin1')
    .replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, '');

async function assertEqual(body: Record<string, unknown>): Promise<void> {
  const counts = await countPdfs(body);
  assert.equal(counts.length, 1, `${counts.length} different PDFs: ${counts.join(', ')} of ${REQUESTS}`);
}

/** Skips the test if the libraries could not be installed. */
async function assertLibraryEqual(
  test: TestContext,
  name: string,
  toBody: (html: string) => Record<string, unknown>,
): Promise<void> {
  if (site === null) test.skip(reason);
  else await assertEqual(toBody(await site.loadDocument(name)));
}

/** Makes the URLs of files of packages absolute. */
const addOrigin = (html: string): string =>
  html.replace(/(["'])\/(?=[@\w])/g, (_, quote: string) => quote + LIBRARY_URL);

/** Also without `now`: such requests may be rendered where others were. */
const CLOCKS: Record<string, object> = { 'with now': { now: NOW }, 'without now': {} };

describe(`${REQUESTS} equal requests beside ${BUSY_PROCESSES} busy loops have one PDF`, () => {
  for (const name of RUN_LIBRARIES) {
    const options = { ...(DIFFERENT.has(name) && { todo: TODO }) };
    it(`a document of a library, with now: ${name}`, options, (test) =>
      assertLibraryEqual(test, name, (html) => ({ html, base_url: LIBRARY_URL, now: NOW })),
    );
    // Without base URL: such requests may be rendered where others were.
    it(`a document of a library, without base URL: ${name}`, options, (test) =>
      assertLibraryEqual(test, name, (html) => ({ html: addOrigin(html) })),
    );
  }
  for (const [name, html] of RUN_FRAMES)
    for (const [clock, members] of Object.entries(CLOCKS))
      it(`a document that needs frames, ${clock}: ${name}`, () => assertEqual({ html, ...members }));
});
