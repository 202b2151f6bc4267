/**
 * Compares PDF engines, interleaved in one run: latency alone, then PDFs per second at 2, 4 and 8 callers.
 * `npm run bench -- pdf`; BENCH_SECONDS sets how long each cell of the throughput tables is measured,
 * `-- --without-peers` measures only this service.
 */
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { longDocument, report } from '../../test/pdf/documents/report.ts';
import { type BenchDocument, type Contender, SERVICE, STATIC_LANE } from './contender.ts';
import { openContenders } from './contenders.ts';
import { serveInvoice } from './invoice-with-resources.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
/** Turns over which the seconds of a cell are divided. */
const TURNS = 4;
/** A pause in which the last contender can prepare for its next document, at no cost to the others. */
const PAUSE_MS = 250;
const site = await serveInvoice();
const DOCUMENTS: Record<string, BenchDocument & { rounds: number }> = {
  line: { html: '<p>Hello, world.</p>', rounds: ROUNDS },
  invoice: { html: invoice(), rounds: ROUNDS },
  'with resources': { ...site.document, rounds: ROUNDS },
  report: { html: report(10), rounds: Math.ceil(ROUNDS / 2) },
  long: { html: longDocument(), rounds: 1 },
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const pad = (text: string | number, width = 16): string => String(text).padStart(width);

/** Returns the document as a contender prints it. */
function toHtml({ isOffline }: Contender, { html, inlined }: BenchDocument): string {
  return isOffline === true ? (inlined ?? html) : html;
}

async function timeOne(contender: Contender, html: string): Promise<number> {
  await contender.prepare?.(html);
  const startedAt = performance.now();
  await contender.render(html);
  return performance.now() - startedAt;
}

async function measureLatency(contenders: Contender[]): Promise<void> {
  const times = new Map<string, number[]>();
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    const { rounds } = document;
    const measured = contenders.filter(({ skips }) => !skips?.includes(name));
    for (let round = 0; round <= rounds; round += 1) {
      // Each round begins with another contender, and every other round is reversed, so that the predecessors
      // vary.
      const turned = [
        ...measured.slice(round % measured.length),
        ...measured.slice(0, round % measured.length),
      ];
      for (const contender of round % 2 === 0 ? turned : turned.toReversed()) {
        await pause();
        const ms = await timeOne(contender, toHtml(contender, document));
        // The first round warms up.
        if (round > 0)
          times.set(`${contender.name}|${name}`, [...(times.get(`${contender.name}|${name}`) ?? []), ms]);
      }
    }
  }
  console.log(
    `\nLatency alone, median ms (ratio to the limit)\n${pad('', 32)}${Object.keys(DOCUMENTS)
      .map((name) => pad(name))
      .join('')}`,
  );
  for (const contender of contenders) {
    const cells = Object.keys(DOCUMENTS).map((name) => {
      const ms = times.get(`${contender.name}|${name}`);
      const limit = median(times.get(`${contenders[0]?.name}|${name}`) ?? []);
      return pad(ms ? `${median(ms).toFixed(1)} (${(median(ms) / limit).toFixed(2)})` : '–');
    });
    console.log(contender.name.padEnd(32) + cells.join(''));
  }
  const service = times.get(`${SERVICE}|invoice`) ?? [];
  const library = times.get(`${STATIC_LANE}|invoice`) ?? [];
  const added = service.map((ms, round) => ms - (library[round] ?? Number.NaN));
  console.log(
    `\nThe service adds to the invoice, over the library in the same round: ${median(added).toFixed(1)} ms at the median`,
  );
}

/** Renders with this many callers for a while. Returns the number of documents and the seconds. */
async function drive(
  contender: Contender,
  html: string,
  { callers, ms }: { callers: number; ms: number },
): Promise<{ done: number; seconds: number }> {
  const startedAt = performance.now();
  const end = startedAt + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await contender.render(html);
        done += 1;
      }
    }),
  );
  return { done, seconds: (performance.now() - startedAt) / 1000 };
}

/**
 * Measures the PDFs per second of each contender. They take turns, so that other load affects all of them.
 */
async function measureRates(
  contenders: Contender[],
  document: BenchDocument,
  callers: number,
): Promise<number[]> {
  const sums = contenders.map(() => ({ done: 0, seconds: 0 }));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, contender] of contenders.entries()) {
      await pause();
      const html = toHtml(contender, document);
      await contender.prepare?.(html);
      // Warms up.
      await Promise.all([contender.render(html), contender.render(html)]);
      const { done, seconds } = await drive(contender, html, { callers, ms: (SECONDS * 1000) / TURNS });
      const sum = sums[index];
      if (sum) sums[index] = { done: sum.done + done, seconds: sum.seconds + seconds };
    }
  }
  return sums.map(({ done, seconds }) => done / seconds);
}

async function measureThroughput(all: Contender[]): Promise<void> {
  const levels = [2, 4, 8];
  for (const name of ['line', 'invoice', 'with resources', 'report']) {
    const document = DOCUMENTS[name] ?? { html: '' };
    const contenders = all.filter(({ skips }) => !skips?.includes(name));
    const rates: number[][] = [];
    for (const callers of levels) rates.push(await measureRates(contenders, document, callers));
    console.log(
      `\nPDFs per second, ${name} (ratio to the limit)\n${pad('', 32)}${levels.map((callers) => pad(`${callers} callers`)).join('')}`,
    );
    for (const [index, contender] of contenders.entries()) {
      const cells = rates.map((row) => {
        const rate = row[index] ?? Number.NaN;
        return pad(`${rate.toFixed(1)} (${(rate / (row[0] ?? Number.NaN)).toFixed(3)})`);
      });
      console.log(contender.name.padEnd(32) + cells.join(''));
    }
  }
}

const contenders = await openContenders(site, { withPeers: !process.argv.includes('--without-peers') });
try {
  await measureLatency(contenders);
  await measureThroughput(contenders);
} finally {
  await Promise.all(contenders.map((contender) => contender.close()));
  site.close();
}
process.exit(0);
