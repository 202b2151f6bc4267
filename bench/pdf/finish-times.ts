/**
 * Measures what finishing a PDF takes in its thread: milliseconds at the median, the first job of a thread
 * (it loads the PDF library), and the sizes. `npm run bench -- pdf-finish`; BENCH_ROUNDS sets the rounds.
 */
import { randomBytes } from 'node:crypto';
import { parsePdfRequest } from '../../src/pdf/index.ts';
import type { PdfRequest } from '../../src/pdf/pdf-request.ts';
import { PERMISSIONS, type Attachment } from '../../src/pdf/finish/finishing.ts';
import { toFinishOptions } from '../../src/pdf/finish/finish-input.ts';
import { DocumentWorker } from '../../src/pdf/worker/document-worker.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { generate, openEngine } from '../../test/pdf/support/open-engine.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MIB = 1024 * 1024;
const NEVER = new AbortController().signal;

const DOCUMENTS: Record<string, Record<string, unknown>> = {
  invoice: { html: invoice() },
  'report, tagged': { html: report(10), tagged: true, outline: true },
  'long report, tagged': { html: report(100), tagged: true, outline: true },
};

/** Creates files anew for each job, which takes their bytes over. */
const attach = (count: number, bytes: number, text = false): Attachment[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${index}.bin`,
    mediaType: 'application/octet-stream',
    bytes: text ? Buffer.alloc(bytes, '4711;2026-11-23;1,680.00\n') : randomBytes(bytes),
    relationship: 'Unspecified',
    description: null,
  }));
const encryption = { password: 'secret', ownerPassword: 'owner', permissions: PERMISSIONS };

const OPTIONS: Record<string, () => Partial<PdfRequest>> = {
  author: () => ({ author: 'A' }),
  password: () => ({ encryption }),
  'a file of 1 MiB': () => ({ attachments: attach(1, MIB) }),
  '20 files of 1 MiB': () => ({ attachments: attach(20, MIB) }),
  'the same as text': () => ({ attachments: attach(20, MIB, true) }),
  'all, 20 MiB': () => ({ author: 'A', encryption, attachments: attach(20, MIB) }),
};

async function finish(worker: DocumentWorker, pdf: Uint8Array, members: Partial<PdfRequest>) {
  const request = { ...parsePdfRequest({ html: 'x' }), ...members };
  const input = { documents: [Buffer.from(pdf)], layers: [], pages: null, options: toFinishOptions(request) };
  const start = performance.now();
  const { pdf: finished } = await worker.run('finishPdf', input, NEVER);
  return { ms: performance.now() - start, bytes: finished.length };
}

function getMedian(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

async function measureFirstJob(pdf: Uint8Array): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const worker = new DocumentWorker();
    times.push((await finish(worker, pdf, { author: 'A' })).ms);
    await worker.close();
  }
  return getMedian(times);
}

await using engine = await openEngine({ slots: 1, timeoutMs: 120_000 });
const worker = new DocumentWorker();
for (const [name, request] of Object.entries(DOCUMENTS)) {
  const { pdf, pages } = await generate(engine, request);
  console.log(`${name}: ${pages} pages, ${(pdf.length / MIB).toFixed(2)} MiB`);
  console.log(
    `${'the first job of a thread'.padEnd(28)}${(await measureFirstJob(pdf)).toFixed(0).padStart(8)} ms`,
  );
  for (const [option, members] of Object.entries(OPTIONS)) {
    const results = [];
    for (let round = 0; round < ROUNDS; round += 1) results.push(await finish(worker, pdf, members()));
    const ms = getMedian(results.map((result) => result.ms)).toFixed(0);
    const size = ((results[0]?.bytes ?? 0) / MIB).toFixed(2);
    console.log(`${option.padEnd(28)}${ms.padStart(8)} ms${size.padStart(10)} MiB`);
  }
}
await worker.close();
