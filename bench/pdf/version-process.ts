/** The process of one version of the service: renders what its parent sends. See compare-versions.ts. */
import type * as pdf from '../../src/pdf/index.ts';
import type * as browser from '../../src/browser/index.ts';
import type * as page from '../../src/browser/pages/page.ts';
import { openPdfEngineOf } from '../../test/pdf/support/open-pdf-engine.ts';

/** The duration of one turn, in milliseconds per document. */
export interface Turn {
  elapsedMs: number;
  /** From the command that prints to the last byte of the PDF. */
  printMs: number;
}

const CALLER = { keyId: 'bench', accountId: 'bench', slots: null };

/** The modules of the other version have the same exports. */
const [checkout = '', cacheDir = ''] = process.argv.slice(2);
const pdfModule = (await import(`${checkout}/src/pdf/index.ts`)) as typeof pdf;
const browserModule = (await import(`${checkout}/src/browser/index.ts`)) as typeof browser;
const { parsePdfRequest } = pdfModule;
const { Page } = (await import(`${checkout}/src/browser/pages/page.ts`)) as typeof page;

let printedMs = 0;
const send = Page.prototype.sendForData;
Page.prototype.sendForData = async function sendTimed(method, params) {
  const startedAt = performance.now();
  const data = await send.call(this, method, params);
  printedMs += performance.now() - startedAt;
  return data;
};

const engine = await openPdfEngineOf(browserModule, pdfModule, {
  chromiumCacheDir: cacheDir,
  openResourceFetcher: () => () => Promise.resolve({ failure: 'is not served' }),
  now: Date.now,
  log: { info() {}, warn() {}, error: console.error },
  slots: 1,
  withSlot: (_caller, signal, work) => work(signal ?? new AbortController().signal),
  requireSandbox: false,
  rendererMemoryMb: 1_200,
  timeoutMs: 30_000,
});

async function render({ html, renders }: { html: string; renders: number }): Promise<Turn> {
  printedMs = 0;
  const startedAt = performance.now();
  for (let count = 0; count < renders; count += 1)
    await engine.generatePdf(parsePdfRequest({ html }), CALLER);
  return { elapsedMs: (performance.now() - startedAt) / renders, printMs: printedMs / renders };
}

process.on('message', (job: { html: string; renders: number }) => {
  void render(job).then((turn) => process.send?.(turn));
});
process.on('disconnect', () => void engine.close().finally(() => process.exit(0)));
process.send?.('ready');
