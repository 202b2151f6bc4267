/**
 * Checks the wording of comments, documents, messages, test names and the dashboard:
 * `npm run lint -- wording`. `--counts` prints the number of faults per module instead of a line for each;
 * `--wrap` first wraps long comment lines; paths as arguments limit it to them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { checkWording } from './wording/check-wording.ts';
import type { ProseOptions } from './wording/find-prose.ts';
import { wrapComments } from './wording/wrap-comments.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const FILES = [
  '{src,test,scripts,bench}/**/*.{ts,mjs}',
  'dashboard/{src,build}/**/*.{ts,tsx}',
  'client/{src,build,test}/**/*.ts',
  'client/*.md',
  '*.md',
  'docs/**/*.md',
];
/** Generated files, and files that quote the wording they look for. */
const SKIPPED =
  /(^|\/)node_modules\/|\.gen\.ts$|^docs\/(reference\/errors|operate\/configuration)\.md$|^scripts\/wording\/patterns\.ts$|^test\/wording\.test\.ts$/;

const limits = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const paths = globSync(FILES, { cwd: ROOT })
  .filter((path) => !SKIPPED.test(path))
  .filter((path) => limits.length === 0 || limits.some((limit) => path.startsWith(limit)))
  .toSorted();
if (process.argv.includes('--wrap')) for (const path of paths) wrapFile(path);
const faults = paths.flatMap((path) =>
  checkWording(path, readFileSync(ROOT + path, 'utf8'), getOptions(path)),
);

if (process.argv.includes('--counts')) printCounts();
else
  for (const { path, line, pattern, advice, excerpt } of faults)
    console.log(`${path}:${line}  ${pattern}: ${advice} (${excerpt})`);
if (faults.length > 0) {
  console.error(`${faults.length} wording faults in ${new Set(faults.map(({ path }) => path)).size} files.`);
  process.exitCode = 1;
}

function wrapFile(path: string): void {
  if (path.endsWith('.md')) return;
  const text = readFileSync(ROOT + path, 'utf8');
  const wrapped = wrapComments(path, text);
  if (wrapped !== text) writeFileSync(ROOT + path, wrapped);
}

function getOptions(path: string): ProseOptions {
  if (path.startsWith('dashboard/')) return { texts: 'labels' };
  return { texts: /^(test|bench)\/|\.test\.ts$/.test(path) ? 'test-names' : 'sentences' };
}

function printCounts(): void {
  const byModule = Map.groupBy(faults, ({ path }) => getModule(path));
  for (const [module, found] of [...byModule].toSorted((a, b) => b[1].length - a[1].length)) {
    const byPattern = Map.groupBy(found, ({ pattern }) => pattern);
    const counts = [...byPattern].toSorted((a, b) => b[1].length - a[1].length);
    console.log(
      `${module}: ${found.length}  (${counts.map(([name, { length }]) => `${name} ${length}`).join(', ')})`,
    );
  }
}

function getModule(path: string): string {
  const [first = '', second = ''] = path.split('/');
  if (first === 'src') return second.includes('.') ? 'src (files at its root)' : `src/${second}`;
  return path.includes('/') ? first : '*.md';
}
