import { readFileSync, readdirSync } from 'node:fs';
import { openPdfEngine, parsePdfRequest } from '../../src/pdf/index.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { createWithSlot } from '../../test/pdf/support/open-engine.ts';

const RENDERS = 500;
const EVERY = 100;
const SLOTS = 2;

/**
 * Megabytes of their own that the processes below this one hold (RssAnon of proc(5): without what they share
 * of files).
 */
function readBrowserMb(): number {
  const children = new Map<number, number[]>();
  const held = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1');
      const read = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      held.set(Number(name), read('RssAnon'));
      children.set(read('PPid'), [...(children.get(read('PPid')) ?? []), Number(name)]);
    } catch {
      // It ended meanwhile.
    }
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + (held.get(child) ?? 0) + sum(child), 0);
  return sum(process.pid) / 1024;
}

/**
 * Prints what browser and service hold while invoices, scripted invoices and reports are rendered. Nothing
 * else may run below this process.
 */
export async function measureMemory(): Promise<void> {
  const engine = await openPdfEngine({
    openResourceFetcher: () => () => Promise.resolve(null),
    now: () => performance.now(),
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
      console.log(String(done).padEnd(10) + readBrowserMb().toFixed(0).padEnd(10) + own.toFixed(0));
    }
    const html = documents[done % documents.length] ?? '';
    await engine.generatePdf(parsePdfRequest({ html }), {
      keyId: `key-${done % 3}`,
      accountId: 'bench',
      slots: null,
    });
  }
  await engine.close();
}
