import * as browser from '../../src/browser/index.ts';
import * as pdf from '../../src/pdf/index.ts';
import { openPdfEngineOf } from '../../test/pdf/support/open-pdf-engine.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { createWithSlot } from '../../test/pdf/support/open-engine.ts';
import { listDescendants, readProcessFile } from './list-descendants.ts';

const RENDERS = 500;
const EVERY = 100;
const SLOTS = 2;

/** Sums the private memory (RssAnon, proc(5)) of all descendants of this process, in megabytes. */
function measureBrowserMb(): number {
  const parseKb = (status: string | null): number =>
    Number(/^RssAnon:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0);
  const sumKb = listDescendants().reduce((sum, pid) => sum + parseKb(readProcessFile(pid, 'status')), 0);
  return sumKb / 1024;
}

/**
 * Prints the memory of browser and service while invoices, scripted invoices and reports are rendered. This
 * process may have no other descendants.
 */
export async function measureMemory(): Promise<void> {
  const engine = await openPdfEngineOf(browser, pdf, {
    openResourceFetcher: () => () => Promise.resolve({ failure: 'is not served' }),
    now: Date.now,
    log: { info() {}, warn() {}, error: console.error },
    slots: SLOTS,
    withSlot: createWithSlot(SLOTS + 1),
    requireSandbox: false,
    rendererMemoryMb: 1_200,
    timeoutMs: 30_000,
  });
  const documents = [invoice(), invoice(), report(3), `${invoice()}<script>document.title = 'x'</script>`];
  console.log(`\nMemory over ${RENDERS} renders, MB\n${'renders'.padEnd(10)}browser   this process`);
  for (let done = 0; done <= RENDERS; done += 1) {
    if (done % EVERY === 0) {
      const own = process.memoryUsage.rss() / 1024 ** 2;
      console.log(String(done).padEnd(10) + measureBrowserMb().toFixed(0).padEnd(10) + own.toFixed(0));
    }
    const html = documents[done % documents.length] ?? '';
    await engine.generatePdf(pdf.parsePdfRequest({ html }), {
      keyId: `key-${done % 3}`,
      accountId: 'bench',
      slots: null,
    });
  }
  await engine.close();
}
