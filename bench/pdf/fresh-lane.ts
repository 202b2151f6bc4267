/**
 * Shows where the time of the fresh lane goes: CPU milliseconds per document, by process. `npm run
 * bench:pdf:fresh`; BENCH_COUNT sets the documents of a row. CPU time depends less on other load than wall
 * time does.
 *
 * A page of the fresh lane has a process of its own. What it costs to create and end one limits the lane: the
 * last column is the documents per second that the processors of this machine can do at most.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import type { Contender } from './contender.ts';
import { findBinary, openBrowser, openLimit, openOwn } from './contenders.ts';
import { getCpuTimes, PROCESS_KINDS, type CpuTimes } from './cpu-times.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 100);
const CORES = availableParallelism();
/** As many at once as an account may have by default. */
const CALLERS = CORES + 1;
/** The time in which the processes of discarded pages end. */
const SETTLE_MS = 1_000;

/** Opens what creates and ends pages, and prints nothing. */
async function openPageCreator(): Promise<Contender> {
  const browser = await openBrowser(await findBinary());
  return {
    name: 'a page, created and ended',
    async render() {
      browser.discardPage(await browser.createPage());
      return new Uint8Array();
    },
    close: () => browser.close(),
  };
}

/** Returns the CPU times of one document. */
async function measure({ prepare, render }: Contender, html: string): Promise<CpuTimes> {
  await prepare?.(html);
  await renderAll(render, html, CALLERS * 3);
  await sleep(SETTLE_MS);
  const before = getCpuTimes();
  await renderAll(render, html, COUNT);
  await sleep(SETTLE_MS);
  const after = getCpuTimes();
  for (const kind of PROCESS_KINDS) after[kind] = (after[kind] - before[kind]) / COUNT;
  return after;
}

async function renderAll(render: Contender['render'], html: string, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (; left > 0;) {
        left -= 1;
        await render(html);
      }
    }),
  );
}

const contenders = [
  await openPageCreator(),
  await openLimit(await findBinary()),
  ...(await openOwn({ find: () => undefined })),
];
const printRow = (title: string, cells: (string | number)[]): void =>
  console.log(title.padEnd(28) + cells.map((cell) => String(cell).padStart(11)).join(''));
console.log(`CPU ms per document: an invoice, ${COUNT} times, ${CALLERS} callers, ${CORES} processors`);
printRow('', [...PROCESS_KINDS, 'sum', 'at most/s']);
for (const contender of contenders) {
  const times = await measure(contender, invoice());
  const sum = PROCESS_KINDS.reduce((total, kind) => total + times[kind], 0);
  const cells = [...PROCESS_KINDS.map((kind) => times[kind]), sum, (CORES * 1000) / sum];
  printRow(
    contender.name,
    cells.map((cell) => cell.toFixed(1)),
  );
}
for (const contender of contenders) await contender.close();
