/**
 * Runs the service for 10 minutes while everything around it goes wrong: its browser is killed, its clients
 * read slowly or never, the disk of its log is full, its clock jumps by 30 days, and the service and its
 * browser together have 512 MB of memory. Prints figures each tenth of the time.
 *
 * Ends with exit code 1 if a request was lost, hung or was answered in another shape than the contract's, if
 * usage was lost, if less than 99% of the good requests of a kind succeeded, or if the service ended.
 *
 *   npm run bench -- reliability-soak
 *
 * SOAK_SECONDS is the time, SOAK_MEMORY_MB the limit of memory (0: none).
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { openStorage } from '../../../src/storage/index.ts';
import { openTargets } from '../../../test/attacks/support/targets.ts';
import { MAX_RSS_MB, MIN_SUCCESS } from '../../../test/attacks/support/bounds.ts';
import { mountSmallDisk } from '../../../test/support/small-disk.ts';
import { computeQuantile } from '../judge.ts';
import { type SoakFigures, startSoakClients } from './clients.ts';
import { type Faults, injectFaults } from './injectors.ts';
import { startLimitedService } from './limited-service.ts';
import { openMemoryGroup } from './memory-limit.ts';
import { listLanes } from './soak-calls.ts';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 600);
const MEMORY_MB = Number(process.env.SOAK_MEMORY_MB ?? 512);
const DISK_MB = 4;
const ROWS = 10;
const SAMPLE_MS = 500;
const KEPT_LOG = 2000;

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'utility-api-soak-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
// The browser runs as another user and has to reach its folder.
const temporary = join(folder, 'tmp');
await mkdir(temporary);
for (const path of [folder, temporary]) await chmod(path, 0o755);
const { accountId, keys } = await createKeys();
const targets = cleanUp.use(await openTargets());
const disk = mountSmallDisk(DISK_MB);
if (disk !== null) cleanUp.use(disk);
else console.log('No full disk: this user may not mount one.');
const group = MEMORY_MB > 0 ? openMemoryGroup(MEMORY_MB) : null;
if (group !== null) cleanUp.use(group);
else console.log('No limit of memory: none is wanted, or this user may not make groups of processes.');

const service = await startLimitedService({
  folder,
  logFolder: disk?.folder ?? folder,
  members: group?.members ?? null,
  settings: {
    TMPDIR: temporary,
    DNS_SERVERS: targets.dns,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    PDF_SLOTS: '2',
    // Less than the docs plan for: hostile documents must fit beside the service.
    BODY_MEMORY_MB: '64',
    PDF_RENDERER_MEMORY_MB: '160',
  },
});
cleanUp.defer(async () => void (await service.stop()));
const clients = cleanUp.use(
  await startSoakClients({ port: service.port, sitePort: targets.ports.site, keys }),
);
const faults: Faults = { 'browsers killed': 0, 'disks filled': 0, 'clock jumps': 0 };
const ending = new AbortController();
const injecting = injectFaults(service, disk, { faults, signal: ending.signal });
let maxRssMb = 0;

printHead();
const startMs = performance.now();
for (let row = 1; row <= ROWS && service.getEnd() === null; row += 1) {
  await watchUntil(startMs + (row * SECONDS * 1000) / ROWS);
  printRow(await clients.read());
}
ending.abort();
await injecting;
const end = service.getEnd();
const figures = await clients.stop();
const stopped = await service.stop();
const recorded = await countRecorded();
const problems = judge();
printLanes();
console.log(`faults: ${formatCounts({ ...faults })}`);
if (group !== null) {
  const { peakMb, kills } = group.read();
  console.log(`memory: ${peakMb.toFixed(0)} of ${MEMORY_MB} MB; ${kills} processes killed for it`);
}
console.log(`usage: ${figures.answered} requests answered, ${recorded} recorded`);
for (const fault of figures.faults) console.log(`  ${fault}`);
if (end !== null) console.log(service.getLog().slice(-KEPT_LOG));
console.log(problems.length === 0 ? 'Nothing lost, no hang, typed errors.' : problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;

/** The keys of the clients. */
async function createKeys(): Promise<{ accountId: string; keys: string[] }> {
  const { plans } = loadConfig({});
  const storage = await openStorage({ dataDir: join(folder, 'data') });
  const owner = { email: 'soak@example.com', plan: 'business' };
  const { id } = await createAccount(storage.accounts, plans, owner, Date.now());
  const secrets: string[] = [];
  for (const { name } of listLanes(0)) {
    const { secret } = await createKey(storage.keys, { accountId: id, name }, Date.now());
    secrets.push(secret);
  }
  await storage.close();
  return { accountId: id, keys: secrets };
}

async function watchUntil(untilMs: number): Promise<void> {
  while (performance.now() < untilMs && service.getEnd() === null) {
    maxRssMb = Math.max(maxRssMb, service.readRssMb());
    await setTimeout(SAMPLE_MS);
  }
}

function printHead(): void {
  const limit = group === null ? 'none' : `${MEMORY_MB} MB`;
  console.log(
    `${SECONDS} s; limit of memory: ${limit}; disk of the log: ${disk ? `${DISK_MB} MB` : 'large'}`,
  );
  console.log('seconds      sent  answered      hung      lost   untyped    RSS MB');
}

function printRow({ sent, answered, hung, lost, untyped }: SoakFigures): void {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  const cells = [sent, answered, hung, lost, untyped, service.readRssMb().toFixed(0)];
  console.log(seconds.padStart(7) + cells.map((cell) => String(cell).padStart(10)).join(''));
}

function printLanes(): void {
  for (const [name, { outcomes, latencies }] of Object.entries(figures.lanes)) {
    const [p50, p99] = [0.5, 0.99].map((share) => computeQuantile(latencies, share).toFixed(0));
    console.log(`${name.padEnd(12)} p50 ${p50} ms, p99 ${p99} ms: ${formatCounts(outcomes)}`);
  }
  console.log(`longest time without a PDF: ${(figures.longestGapMs / 1000).toFixed(1)} s`);
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what} × ${count}`)
    .join(', ');
}

/** Counts the requests that are in the account's months. */
async function countRecorded(): Promise<number> {
  const storage = await openStorage({ dataDir: join(folder, 'data') });
  try {
    const months = await storage.usage.listMonths(accountId, 0, Number.MAX_SAFE_INTEGER);
    return months.reduce((sum, { requests }) => sum + requests, 0);
  } finally {
    await storage.close();
  }
}

/** Returns what went wrong, in words. */
function judge(): string[] {
  const { hung, lost, untyped, answered } = figures;
  return [
    ...(end === null ? [] : [`the service ended: ${end}`]),
    ...(end === null && stopped !== 'exit code 0' ? [`the drain ended with ${stopped}`] : []),
    ...(hung > 0 ? [`${hung} requests hung`] : []),
    ...(lost > 0 ? [`${lost} requests were lost`] : []),
    ...(untyped > 0 ? [`${untyped} answers break the contract`] : []),
    ...(recorded < answered ? [`the usage of ${answered - recorded} requests was lost`] : []),
    ...listFailing(),
    ...(maxRssMb > MAX_RSS_MB ? [`RSS ${maxRssMb.toFixed(0)} MB`] : []),
  ];
}

/** Returns the lanes of good calls of which too few succeeded, in words. */
function listFailing(): string[] {
  return listLanes(0).flatMap(({ name, call, reading }) => {
    const { outcomes, latencies } = figures.lanes[name] ?? { outcomes: {}, latencies: [] };
    const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    if (call(0).error !== null || reading === 'never' || latencies.length >= MIN_SUCCESS * all) return [];
    return [`${name}: ${latencies.length} of ${all} succeeded`];
  });
}
