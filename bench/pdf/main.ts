/**
 * PDF engines side by side, interleaved in one run: latency alone, then PDFs per second at 2, 4 and 8 callers.
 * `npm run bench:pdf`; BENCH_SECONDS sets how long each cell of the throughput tables is measured.
 */
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { longDocument, report } from '../../test/pdf/documents/report.ts';
import { openContenders, startedLate, type Contender } from './contenders.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const DOCUMENTS: Record<string, { html: string; rounds: number }> = {
  line: { html: '<p>Hello, world.</p>', rounds: ROUNDS },
  invoice: { html: invoice(), rounds: ROUNDS },
  report: { html: report(10), rounds: Math.ceil(ROUNDS / 2) },
  long: { html: longDocument(), rounds: 1 },
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const pad = (text: string | number, width = 16): string => String(text).padStart(width);

async function timeOne(contender: Contender, html: string): Promise<number> {
  const startedAt = performance.now();
  startedLate.at = startedAt;
  await contender.render(html);
  return performance.now() - startedLate.at;
}

async function measureLatency(contenders: Contender[]): Promise<void> {
  const times = new Map<string, number[]>();
  for (const [name, { html, rounds }] of Object.entries(DOCUMENTS)) {
    for (let round = 0; round <= rounds; round += 1) {
      for (const contender of contenders) {
        if (contender.skips?.includes(name)) continue;
        const ms = await timeOne(contender, html);
        // The first round warms up.
        if (round > 0)
          times.set(`${contender.name}|${name}`, [...(times.get(`${contender.name}|${name}`) ?? []), ms]);
        // A moment in which each makes ready for the next.
        await new Promise((resolve) => setTimeout(resolve, 60));
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
}

async function perSecond(contender: Contender, html: string, callers: number): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await contender.render(html);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1000);
}

async function measureThroughput(contenders: Contender[]): Promise<void> {
  for (const name of ['line', 'invoice', 'report']) {
    const html = DOCUMENTS[name]?.html ?? '';
    console.log(
      `\nPDFs per second, ${name} (ratio to the limit)\n${pad('', 32)}${[2, 4, 8].map((callers) => pad(`${callers} callers`)).join('')}`,
    );
    const limits: number[] = [];
    for (const contender of contenders) {
      if (contender.skips?.includes(name)) continue;
      const cells: string[] = [];
      for (const [index, callers] of [2, 4, 8].entries()) {
        if (contender === contenders[0]) await Promise.all([contender.render(html), contender.render(html)]);
        const rate = await perSecond(contender, html, callers);
        limits[index] ??= rate;
        cells.push(pad(`${rate.toFixed(1)} (${(rate / (limits[index] ?? rate)).toFixed(3)})`));
      }
      console.log(contender.name.padEnd(32) + cells.join(''));
    }
  }
}

const contenders = await openContenders();
try {
  await measureLatency(contenders);
  await measureThroughput(contenders);
} finally {
  await Promise.all(contenders.map((contender) => contender.close()));
}
process.exit(0);
