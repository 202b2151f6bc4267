/**
 * Renders thousands of documents of all kinds for several keys, and prints lost browsers, failed renders,
 * repeated renders and the memory of all processes. `npm run bench -- pdf-soak`; BENCH_COUNT sets the
 * documents, BENCH_KINDS, a regular expression, chooses kinds. Fails if a browser was lost or a render
 * failed.
 */
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { FRAME_DOCUMENTS } from '../../test/pdf/documents/frames.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { generate, openEngine, withoutQueue, type LogLine } from '../../test/pdf/support/open-engine.ts';
import { serveInvoice } from './invoice-with-resources.ts';
import { measureMemoryMb, PROCESS_KINDS } from './process-usage.ts';
import { chartReport, scriptedInvoice } from './version-cases.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 10_000);
const KINDS = new RegExp(process.env['BENCH_KINDS'] ?? '');
const CALLERS = 4;
const KEYS = 3;
const MEASUREMENTS = 10;
const READY = 'the browser is ready';

const site = await serveInvoice();
site.close();
const all: Record<string, string> = {
  'static invoice': invoice(),
  'static report': report(3),
  'static with resources': site.document.html,
  'scripted invoice': scriptedInvoice(),
  'scripted with resources': `${site.document.html}<script>document.title = 'x'</script>`,
  'Chart.js': await chartReport(),
  ...Object.fromEntries(Object.entries(FRAME_DOCUMENTS).map(([name, html]) => [`frames: ${name}`, html])),
};
const documents = Object.entries(all).filter(([kind]) => KINDS.test(kind));
/** Counts of the events of browsers. `started` and `old` are no faults. */
const events: Record<string, number> = {};
const failures: Record<string, number> = {};
const lines: LogLine[] = [];
await using engine = await openEngine(
  {
    slots: CALLERS,
    withSlot: withoutQueue,
    onBrowserEvent: (event) => void (events[event] = (events[event] ?? 0) + 1),
    openResourceFetcher: () => (request) => {
      const [type, body] = site.find(request.url) ?? [];
      if (type === undefined || body === undefined) return Promise.resolve({ failure: 'is not served' });
      const headers: [string, string][] = [['content-type', type]];
      return Promise.resolve({ url: request.url, status: 200, headers, body });
    },
  },
  lines,
);

/** Browsers that were started for the repetition of one render. */
const countRepeated = (): number =>
  lines.filter(({ message }) => message === READY).length - (events['started'] ?? 0);

function printRow(done: number): void {
  const memory = measureMemoryMb();
  const cells = PROCESS_KINDS.map((kind) => memory[kind].toFixed(0));
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const counts = [events['ended'] ?? 0, events['unresponsive'] ?? 0, countRepeated(), failed];
  console.log([done, ...counts, ...cells].map((cell) => String(cell).padStart(10)).join(''));
}

let begun = 0;
let done = 0;
async function call(): Promise<void> {
  while (begun < COUNT) {
    const [kind = '', html = ''] = documents[begun % documents.length] ?? [];
    const keyId = `key ${begun % KEYS}`;
    begun += 1;
    await generate(engine, { html }, keyId).catch((error: unknown) => {
      const why = `${kind}: ${error instanceof Error ? error.message : String(error)}`;
      failures[why] = (failures[why] ?? 0) + 1;
    });
    done += 1;
    if (done % Math.ceil(COUNT / MEASUREMENTS) === 0) printRow(done);
  }
}

const startedAt = performance.now();
console.log(
  `${COUNT} documents of ${documents.length} kinds, ${CALLERS} callers, ${KEYS} keys; memory in MiB`,
);
const heads = ['documents', 'lost', 'hung', 'repeated', 'failed', ...PROCESS_KINDS];
console.log(heads.map((head) => head.padStart(10)).join(''));
printRow(0);
await Promise.all(Array.from({ length: CALLERS }, call));
console.log(`${(COUNT / ((performance.now() - startedAt) / 1000)).toFixed(1)} documents per second`);
for (const [why, count] of Object.entries(failures)) console.log(`${count} × ${why}`);
console.log(`events of the shared browser: ${JSON.stringify(events)}`);
if (Object.keys(failures).length > 0 || events['ended'] !== undefined) process.exitCode = 1;
