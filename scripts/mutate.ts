/**
 * Changes one small thing of src/ at a time and runs the tests that should fail:
 * `npm run mutate -- --seed 1 --count 300`. `--path src/email` limits it to the files whose path starts with
 * that, `--skip 100` leaves out the first mutants, `--jobs 4` runs more at a time, `--list` prints them and
 * runs nothing.
 *
 * It works on copies of the tree. First, it runs the tests of all mutants without a mutant. Then each mutant
 * meets the tests that execute its place, the fastest first. Survivors are listed at the end. A run that is
 * interrupted continues where it was when it is started again, as long as the tree is the same.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findKiller, type Killer } from './mutate/find-killer.ts';
import { chooseMutants, findMutants, type Mutant } from './mutate/find-mutants.ts';
import { measureTest, type MeasuredTest } from './mutate/measure-test.ts';
import { MutationResults } from './mutate/mutation-results.ts';
import { planTests } from './mutate/test-plan.ts';

const ROOT = new URL('../', import.meta.url).pathname;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    skip: { type: 'string', default: '0' },
    path: { type: 'string', default: 'src/' },
    /** Two at a time: most tests wait more than they compute. */
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
});

const mutants = chooseMutants(findAllMutants(), Number(options.seed), Number(options.count)).slice(
  Number(options.skip),
);
if (options.list) for (const mutant of mutants) console.log(formatMutant(mutant));
else await run();

function findAllMutants(): Mutant[] {
  return globSync('src/**/*.ts', { cwd: ROOT })
    .filter((path) => !/\.(test|d)\.ts$/.test(path) && path.startsWith(options.path))
    .toSorted()
    .flatMap((path) => findMutants(path, readFileSync(join(ROOT, path), 'utf8')));
}

async function run(): Promise<void> {
  const results = new MutationResults(getResultsPath(), mutants);
  const copies = Array.from({ length: Number(options.jobs) }, copyTree);
  try {
    await measureTests(copies, results);
    await killMutants(copies, results);
    report(results.killers);
  } finally {
    for (const root of copies) rmSync(root, { recursive: true, force: true });
  }
}

/** The results belong to the files of this tree and to these mutants. */
function getResultsPath(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const tree = [git('rev-parse', 'HEAD'), git('diff', 'HEAD'), ...mutants.map(formatMutant)].join('\n');
  return join(ROOT, 'node_modules/.cache/mutants', `${hash('sha256', tree).slice(0, 16)}.jsonl`);
}

/** Runs the tests of all mutants without a mutant. */
async function measureTests(copies: readonly string[], results: MutationResults): Promise<void> {
  const files = new Set(mutants.flatMap(({ path }) => planTests(ROOT, path)));
  const left = [...files].filter((file) => !results.tests.has(file));
  await shareOut(copies, left, async (root, file) => {
    results.storeTest(file, await measureTest(root, file, mutants));
  });
  for (const [file, test] of results.tests)
    if (test === null) console.log(`left out ${file}: it fails without a mutant`);
}

/** Runs the tests that execute the place of each mutant, the fastest first. */
async function killMutants(copies: readonly string[], results: MutationResults): Promise<void> {
  const tests = [...results.tests.values()]
    .filter((test): test is MeasuredTest => test !== null)
    .toSorted((a, b) => a.ms - b.ms);
  const left = mutants.filter((mutant) => !results.killers.has(mutant));
  await shareOut(copies, left, async (root, mutant) => {
    const plan = new Set(planTests(ROOT, mutant.path));
    const chosen = tests.filter(({ file, executes }) => plan.has(file) && executes.has(mutant));
    const killer = await findKiller(root, mutant, chosen);
    results.storeKiller(mutant, killer);
    const verdict = killer === null ? 'SURVIVED' : killer.outcome === 'timeout' ? 'timeout ' : 'killed  ';
    console.log(`${verdict} ${formatMutant(mutant)}  (${killer?.file ?? `${chosen.length} test files`})`);
  });
}

/** Does `work` with each item, at most one at a time in each copy. */
async function shareOut<Item>(
  copies: readonly string[],
  items: Iterable<Item>,
  work: (root: string, item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    copies.map(async (root) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(root, item);
    }),
  );
}

function report(killers: ReadonlyMap<Mutant, Killer | null>): void {
  const outcomes = [...killers.values()].map((killer) => killer?.outcome ?? 'survived');
  const count = (outcome: string): number => outcomes.filter((other) => other === outcome).length;
  const killed = outcomes.length - count('survived');
  console.log(
    `\n${killed} of ${outcomes.length} mutants killed (${((100 * killed) / outcomes.length).toFixed(1)} %): ` +
      `${count('failed')} by a failed test, ${count('timeout')} by a time limit. Survivors:`,
  );
  for (const mutant of mutants) if (killers.get(mutant) === null) console.log(`  ${formatMutant(mutant)}`);
}

/** Copies the files that git tracks or would add, and the built dashboard; links the packages. */
function copyTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'utility-api-mutants-')));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths = files.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  for (const path of [...paths, 'dashboard/dist'])
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

function formatMutant({ path, line, kind, change }: Mutant): string {
  return `${path}:${line}  ${kind}: ${change}`;
}
