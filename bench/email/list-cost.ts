/**
 * `node --expose-gc bench/email/list-cost.ts`: prints what the bundled graded lists of domains cost, beside a
 * `Map` of the same names and evidence: time and memory at start, and the time of a search.
 */
import { SortedDomains, loadEntries } from '../../src/email/lists/domain-lists.ts';

const SEARCHED = 20_000;
const ROUNDS = 5;

interface Searchable {
  has(name: string): boolean;
}

const load = (): Buffer[] => ['disposable.txt', 'suspected.txt'].map(loadEntries);
const open = (): SortedDomains[] => load().map((bytes) => new SortedDomains(bytes));
const openMap = (): ReadonlyMap<string, string> => {
  const lines = load().flatMap((bytes) => bytes.toString('latin1').trimEnd().split('\n'));
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
};

function measureMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function getMemoryMb(): number {
  // The memory of a buffer is released after its object.
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

function measure(name: string, create: () => Searchable, searched: readonly string[]): void {
  const before = getMemoryMb();
  let names: Searchable = new Set();
  const loadMs = measureMs(() => (names = create()));
  const memoryMb = getMemoryMb() - before;
  const search = (): void => {
    for (const one of searched) names.has(one);
  };
  search();
  const searchMs = Math.min(...Array.from({ length: ROUNDS }, () => measureMs(search)));
  const nanoseconds = (searchMs * 1e6) / searched.length;
  console.log(
    `${name}: ${loadMs.toFixed(1)} ms to load, ${memoryMb.toFixed(1)} MB, ${nanoseconds.toFixed(0)} ns per search`,
  );
}

if (globalThis.gc === undefined) throw new Error('run it with --expose-gc');
const all = open().flatMap((list) => [...list]);
const step = Math.floor(all.length / (SEARCHED / 2));
const listed = all.filter((_name, at) => at % step === 0);
const searched = listed.flatMap((name) => [name, `x${name}`]);
all.length = 0;
const sizes = open().map(({ size }) => size);
console.log(`${sizes.join(' + ')} domains, ${Buffer.concat(load()).length} bytes`);
const searchBoth = (): Searchable => {
  const lists = open();
  return { has: (name) => lists.some((list) => list.has(name)) };
};
measure('sorted bytes', searchBoth, searched);
measure('Map', openMap, searched);
