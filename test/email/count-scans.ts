/** The time of a validation, in scans of its text: load and the speed of the machine hardly change it. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { EmailCache, loadDomainLists, validateEmail } from '#email';

/** The CPU clock ticks in milliseconds. */
const SAMPLE_MICROS = 20_000;
/** Other load disturbs some rounds; a slow implementation exceeds the bound in each. */
const MAX_ROUNDS = 20;
/** A thread may keep to the code that it compiled first, which is slow: others start anew. */
const MAX_OTHER_THREADS = 2;

/** Returns how many scans of the text take as much CPU time as its validation; once below `bound` it ends. */
export async function countScans(text: string, bound: number): Promise<number> {
  let fewest = await measureScans(text, bound);
  for (let threads = 0; threads < MAX_OTHER_THREADS && fewest >= bound; threads++) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { text, bound } });
    const [scans] = (await once(worker, 'message')) as [number];
    fewest = Math.min(fewest, scans);
    await worker.terminate();
  }
  return fewest;
}

/** Measures in this thread: both take turns, so that load slows them alike. Returns the fewest scans. */
async function measureScans(text: string, bound: number): Promise<number> {
  // With the cache that the service has: what it knows about the domain is not a cost of the text.
  const deps = { lists: loadDomainLists(), cache: new EmailCache() };
  const request = { email: text, checkMx: true, suggest: true, details: true };
  const lookupMail = async () => ({ outcome: 'unknown', reason: 'timeout' }) as const;
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && fewest >= bound; round++) {
    const scanMicros = await measureMicros(() => countAtSigns(text));
    const micros = await measureMicros(() => validateEmail(request, { ...deps, lookupMail }));
    fewest = Math.min(fewest, micros / scanMicros);
  }
  return fewest;
}

/** Returns the CPU time of one run of `work`, the mean of as many runs as the clock needs. */
async function measureMicros(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  let micros = 0;
  let runs = 0;
  while (micros < SAMPLE_MICROS) {
    await work();
    runs++;
    const { user, system } = process.threadCpuUsage(start);
    micros = user + system;
  }
  return micros / runs;
}

/** The reference: it reads each code unit once. */
function countAtSigns(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x40) count++;
  return count;
}

if (!isMainThread && parentPort !== null) {
  const { text, bound } = workerData as { text: string; bound: number };
  // oxlint-disable-next-line require-post-message-target-origin -- a port between threads has no origin
  parentPort.postMessage(await measureScans(text, bound));
}
