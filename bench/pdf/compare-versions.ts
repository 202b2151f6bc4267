/**
 * Compares this version of the library with another one, and with puppeteer, in rounds that alternate:
 * `npm run bench -- pdf-versions <checkout or git revision>`. A revision is checked out and set up in a
 * temporary folder, which is kept. BENCH_ROUNDS sets the rounds; BENCH_CASES, a regular expression, chooses
 * cases. Both versions use the browser and the fonts of this one.
 *
 * CPU time is that of the service and of all processes of the browser, also ended ones. It depends less on
 * other load than the other figures do; trust the ratios. In brackets are the lowest and highest of a round.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBinary } from './contenders.ts';
import { setUpCheckout } from './set-up-checkout.ts';
import { PROCESS_KINDS, sumUsage } from './process-usage.ts';
import { createVersionCases, type VersionCase } from './version-cases.ts';
import type { Job, Turn } from './version-process.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 6);
/** Documents of the first turn of each version, which is not measured. */
const WARM_UP_COUNT = 12;
/** The numbers of the folders with fonts that versions look for. */
const FONT_VERSIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const OLD = 0;
const NEW = 1;
const PEER = 2;
type Turns = [old: Turn[], current: Turn[], peer: Turn[]];

/** Makes a folder in which each version finds the browser and the fonts of this one. */
async function linkBrowser(): Promise<string> {
  const binary = await findBinary();
  if (binary.fontconfigFile === null) throw new Error('Run npm run setup first.');
  const folder = await mkdtemp(join(tmpdir(), 'compare-versions-'));
  await symlink(dirname(binary.path), join(folder, basename(dirname(binary.path))));
  for (const version of FONT_VERSIONS)
    await symlink(dirname(binary.fontconfigFile), join(folder, `fonts-${version}`));
  return folder;
}

async function openProcess(name: string, browserFolder: string): Promise<ChildProcess> {
  const child = fork(new URL('./version-process.ts', import.meta.url), [name, browserFolder]);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${name} does not start`)));
  await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => {});
  return child;
}

async function runTurn(child: ChildProcess | undefined, job: Job): Promise<Turn> {
  child?.send(job);
  const [turn] = (await once(child!, 'message')) as [Turn];
  return turn;
}

/** Runs the turns of one case. Every other round is reversed, so that none always follows the same one. */
async function measureCase(children: ChildProcess[], { withPeer, ...job }: VersionCase): Promise<Turns> {
  const turns: Turns = [[], [], []];
  const measured = withPeer ? ([OLD, NEW, PEER] as const) : ([OLD, NEW] as const);
  for (const index of measured)
    await runTurn(children[index], { ...job, count: Math.min(job.count, WARM_UP_COUNT), pauseMs: 0 });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const index of round % 2 === 0 ? measured : measured.toReversed())
      turns[index].push(await runTurn(children[index], job));
  return turns;
}

/** Returns the middle value, or the mean of both. */
function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[sorted.length >> 1] ?? Number.NaN) + (sorted[(sorted.length - 1) >> 1] ?? Number.NaN)) / 2;
}

const toCpu = ({ cpuMs }: Turn): number => sumUsage(cpuMs);

/** Formats the medians of two contenders, and the ratios of their rounds. */
function compare(from: Turn[], to: Turn[], value: (turn: Turn) => number): string {
  const ratios = to.map((turn, round) => value(turn) / value(from[round] ?? turn));
  const [old, current] = [from, to].map((turns) => median(turns.map(value)).toFixed(1).padStart(6));
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `${old} → ${current}  ${median(ratios).toFixed(2)} [${lowest}–${highest}]`.padEnd(34);
}

function printRow(name: string, from: Turn[], to: Turn[]): void {
  const cells = [
    compare(from, to, toCpu),
    compare(from, to, (turn) => turn.documentsPerSecond),
    compare(from, to, (turn) => turn.latencyMs),
  ];
  console.log(name.padEnd(36) + cells.join(''));
}

/** Prints which processes used the CPU, for the case that was just measured. */
function printKinds([old, current]: Turns): void {
  const list = (turns: Turn[]): string =>
    PROCESS_KINDS.map((kind) => median(turns.map(({ cpuMs }) => cpuMs[kind])).toFixed(1)).join(' + ');
  console.log(`  ${PROCESS_KINDS.join(' + ')}: ${list(old)} → ${list(current)}`);
}

const [other] = process.argv.slice(2);
if (other === undefined) {
  console.error('Name the other version: npm run bench -- pdf-versions <checkout or git revision>');
  process.exit(2);
}
const filter = new RegExp(process.env['BENCH_CASES'] ?? '');
const checkouts = [setUpCheckout(other), join(import.meta.dirname, '../..')];
const browserFolder = await linkBrowser();
const children: ChildProcess[] = [];
for (const name of [...checkouts.map((checkout) => pathToFileURL(checkout).href), 'puppeteer'])
  children.push(await openProcess(name, browserFolder));
const heads = ['CPU ms per document', 'documents per second', 'median latency, ms'];
console.log(`${ROUNDS} rounds: ${other} → this version, and their ratio`);
console.log(' '.repeat(36) + heads.map((head) => head.padEnd(34)).join(''));
for (const [name, one] of Object.entries(await createVersionCases())) {
  if (!filter.test(name)) continue;
  const turns = await measureCase(children, one);
  printRow(name, turns[OLD], turns[NEW]);
  printKinds(turns);
  if (one.withPeer) printRow('  puppeteer → this version', turns[PEER], turns[NEW]);
}
for (const child of children) child.disconnect();
await Promise.all(children.map((child) => once(child, 'exit')));
await rm(browserFolder, { recursive: true });
