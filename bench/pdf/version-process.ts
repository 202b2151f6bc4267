/** The process of one version of the service, or of puppeteer: renders what its parent sends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type * as engineModule from '../../test/pdf/support/open-engine.ts';
import { findBinary } from './contenders.ts';
import { openPuppeteer } from './peers.ts';
import { measureCpuMs, PROCESS_KINDS, type ProcessUsage } from './process-usage.ts';

/** A file that documents load: its type, and its bytes in base64. */
export type SentFile = readonly [contentType: string, base64: string];

/** The work of one turn. */
export interface Job {
  html: string;
  count: number;
  callers: number;
  /** Documents take turns among this many keys; null: each document has a key that was never used. */
  keys: number | null;
  /** A pause before each document of a caller, in which pages are prepared. */
  pauseMs: number;
  /** By path. */
  files: Record<string, SentFile>;
}

/** The measurements of one turn. */
export interface Turn {
  /** Per document. */
  cpuMs: ProcessUsage;
  documentsPerSecond: number;
  latencyMs: number;
}

type Render = (html: string, keyId: string) => Promise<unknown>;

/** In this time the processes of discarded pages end, and pages for the next documents are ready. */
const SETTLE_MS = 700;
/** Renders at a time: as many as callers at most. */
const SLOTS = 4;

let { files }: Pick<Job, 'files'> = { files: {} };
let usedKeys = 0;

/**
 * Opens the engine of a checkout. Its own test support opens it, because the options of an engine differ
 * between versions.
 */
async function openCheckout(checkout: string, chromiumCacheDir: string): Promise<[Render, () => unknown]> {
  const path = `${checkout}/test/pdf/support/open-engine.ts`;
  const { openEngine, generate } = (await import(path)) as typeof engineModule;
  const engine = await openEngine({
    chromiumCacheDir,
    slots: SLOTS,
    withSlot: (_caller, signal, work) => work(signal ?? new AbortController().signal),
    openResourceFetcher:
      () =>
      ({ url }) => {
        const [type, body] = files[new URL(url).pathname] ?? [];
        if (type === undefined || body === undefined) return Promise.resolve({ failure: 'is not served' });
        const headers: [string, string][] = [['content-type', type]];
        return Promise.resolve({ url, status: 200, headers, body: Buffer.from(body, 'base64') });
      },
  });
  return [(html, keyId) => generate(engine, { html }, keyId), () => engine.close()];
}

async function openPeer(): Promise<[Render, () => unknown]> {
  const [puppeteer] = await openPuppeteer(await findBinary());
  if (!puppeteer) throw new Error('puppeteer did not start');
  return [puppeteer.render, puppeteer.close];
}

const [name = '', cacheDir = ''] = process.argv.slice(2);
const [render, close] = name === 'puppeteer' ? await openPeer() : await openCheckout(name, cacheDir);

async function run(job: Job): Promise<Turn> {
  ({ files } = job);
  const latencies: number[] = [];
  let left = job.count;
  await sleep(SETTLE_MS);
  const cpuBefore = measureCpuMs();
  const startedAt = performance.now();
  const call = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      const key = job.keys === null ? `new ${(usedKeys += 1)}` : `key ${left % job.keys}`;
      if (job.pauseMs > 0) await sleep(job.pauseMs);
      const calledAt = performance.now();
      await render(job.html, key);
      latencies.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: job.callers }, call));
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(SETTLE_MS);
  const cpuMs = measureCpuMs();
  for (const kind of PROCESS_KINDS) cpuMs[kind] = (cpuMs[kind] - cpuBefore[kind]) / job.count;
  return {
    cpuMs,
    documentsPerSecond: job.count / seconds,
    latencyMs: latencies.toSorted((a, b) => a - b)[latencies.length >> 1] ?? Number.NaN,
  };
}

process.on('message', (job: Job) => void run(job).then((turn) => process.send?.(turn)));
process.on('disconnect', () => void Promise.resolve(close()).finally(() => process.exit(0)));
process.send?.('ready');
