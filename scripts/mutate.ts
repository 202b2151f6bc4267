/**
 * Changes one small thing of src/ at a time and runs the tests that should fail:
 * `npm run mutate -- --seed 1 --count 300`. `--path src/email` limits it to the files whose path starts with
 * that, `--skip 100` leaves out the first mutants, `--list` prints them and runs nothing.
 *
 * It works on copies of the tree. A mutant is killed by the first test that fails or exceeds its time limit.
 * Survivors are listed at the end.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseMutants, findMutants, type Mutant } from './mutate/find-mutants.ts';
import { runTestFile } from './mutate/run-test-file.ts';
import { planTests } from './mutate/test-plan.ts';

const ROOT = new URL('../', import.meta.url).pathname;
/** Two at a time: most tests wait more than they compute. */
const COPIES = 2;
/** A test file fails if it takes this many times its usual time, and at least MIN_TIMEOUT_MS. */
const SLOWNESS = 4;
const MIN_TIMEOUT_MS = 30_000;
const BASELINE_TIMEOUT_MS = 300_000;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    skip: { type: 'string', default: '0' },
    path: { type: 'string', default: 'src/' },
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
  const copies = Array.from({ length: COPIES }, copyTree);
  const survivors: Mutant[] = [];
  const queue = [...mutants];
  /** The time of each test file without a mutant, measured when it is first needed; null if it fails. */
  const baselines = new Map<string, Promise<number | null>>();
  try {
    await Promise.all(
      copies.map(async (root) => {
        for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
          const killer = await findKiller(root, mutant, baselines);
          if (killer === null) survivors.push(mutant);
          console.log(
            `${killer === null ? 'SURVIVED' : 'killed  '} ${formatMutant(mutant)}${killer ? `  (${killer})` : ''}`,
          );
        }
      }),
    );
  } finally {
    for (const root of copies) rmSync(root, { recursive: true, force: true });
  }
  const killed = mutants.length - survivors.length;
  console.log(
    `\n${killed} of ${mutants.length} mutants killed (${((100 * killed) / mutants.length).toFixed(1)} %).`,
  );
  for (const mutant of survivors.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    console.log(`  ${formatMutant(mutant)}`);
}

/** Returns the first test file that fails with a mutant, and how; null if it survives all. */
async function findKiller(
  root: string,
  mutant: Mutant,
  baselines: Map<string, Promise<number | null>>,
): Promise<string | null> {
  const file = join(root, mutant.path);
  const original = readFileSync(file, 'utf8');
  for (const test of planTests(root, mutant.path)) {
    const baseline = baselines.get(test) ?? measureBaseline(root, test);
    baselines.set(test, baseline);
    const usualMs = await baseline;
    if (usualMs === null) continue;
    writeFileSync(file, original.slice(0, mutant.start) + mutant.replacement + original.slice(mutant.end));
    const { outcome } = await runTestFile(root, test, Math.max(MIN_TIMEOUT_MS, SLOWNESS * usualMs));
    writeFileSync(file, original);
    if (outcome !== 'passed') return outcome === 'timeout' ? `${test}, timeout` : test;
  }
  return null;
}

async function measureBaseline(root: string, test: string): Promise<number | null> {
  for (let tries = 0; tries < 2; tries++) {
    const { outcome, ms } = await runTestFile(root, test, BASELINE_TIMEOUT_MS);
    if (outcome === 'passed') return ms;
  }
  console.log(`left out ${test}: it fails without a mutant`);
  return null;
}

/** Copies the files that git tracks or would add, and the built dashboard; links the packages. */
function copyTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'utility-api-mutants-'));
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
