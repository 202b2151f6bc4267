/**
 * The weight of the service. No figure may rise above its limit, which is the figure of the day on which it
 * was last lowered: a feature that does not fit makes room first. Lower the limits with each change that
 * makes one possible. The lines are the exception: each planned feature raises their limit by what it needs,
 * at most to the budget.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, describe, it } from 'node:test';
import { SETTINGS } from '#config';
import { listNeeded, type Lock } from '../../scripts/setup/packages.mjs';

/** The limits. `budget` is the figure with all planned work. */
const LIMITS = {
  lines: { limit: 63_335, budget: 65_000 },
  files: { limit: 480, budget: 600 },
  'files below 15 lines of code': { limit: 0, budget: 0 },
  'folders of one file': { limit: 0, budget: 0 },
  settings: { limit: 50, budget: 50 },
  'npm scripts': { limit: 16, budget: 20 },
  packages: { limit: 319, budget: 380 },
  'words of docs': { limit: 42_000, budget: 42_000 },
} as const;
/** The median lines of code of a production file may not fall: a small file is a part of a concept. */
const MEDIAN_LINES = 86;
const SMALLEST_FILE = 15;
/** A migration that has run somewhere is never changed, nor merged with another. */
const MAY_BE_SMALL = /\/index\.ts$|\/migrations\//;

/** A table that `npm run docs` writes from rows. */
const TABLE = /<!-- (parameters|errors|settings|metrics|alerts|comparison)\b[^]*?<!-- \/\1 -->/g;

const ROOT = new URL('../../', import.meta.url).pathname;
const load = (path: string): string => readFileSync(ROOT + path, 'utf8');

describe('the weight does not rise:', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|\.d\.ts$/.test(path))
    .map((path) => ({ path, text: load(path) }));
  const figures: Record<keyof typeof LIMITS, number> = {
    lines: sum(files.map(({ text }) => text.split('\n').length - 1)),
    files: files.length,
    'files below 15 lines of code': files.filter(
      ({ path, text }) => countCode(text) < SMALLEST_FILE && !MAY_BE_SMALL.test(path),
    ).length,
    'folders of one file': countSingles(files.map(({ path }) => path)),
    settings: Object.keys(SETTINGS).length,
    'npm scripts': countScripts(),
    packages: countPackages(),
    'words of docs': sum(listDocs().map((path) => load(path).replace(TABLE, '').split(/\s+/).length)),
  };
  for (const [name, { limit, budget }] of Object.entries(LIMITS))
    it(`${name}: ${figures[name as keyof typeof LIMITS]} of ${limit}, with a budget of ${budget}`, () => {
      const figure = figures[name as keyof typeof LIMITS];
      assert.ok(figure <= limit, `${name} rose to ${figure}: remove as much as the change adds`);
    });
  const median = files.map(({ text }) => countCode(text)).toSorted((a, b) => a - b)[files.length >> 1] ?? 0;
  it(`the median file has ${median} lines of code`, () => assert.ok(median >= MEDIAN_LINES));
  after(() => assert.ok(files.length > 100, 'the files of src/ are found'));
});

/** Returns the lines that are neither blank nor a comment. */
function countCode(text: string): number {
  return text
    .replace(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
}

/** Counts the folders that hold one production file and no folder. */
function countSingles(paths: readonly string[]): number {
  const folders = Map.groupBy(paths, (path) => dirname(path));
  const hasFolders = (folder: string): boolean => paths.some((path) => dirname(dirname(path)) === folder);
  return [...folders].filter(([folder, inside]) => inside.length === 1 && !hasFolders(folder)).length;
}

/** Counts the npm scripts that people run: npm runs those that begin with `pre` itself. */
function countScripts(): number {
  const { scripts } = JSON.parse(load('package.json')) as { scripts: Record<string, string> };
  return Object.keys(scripts).filter((name) => !name.startsWith('pre')).length;
}

/** Counts the packages that `npm start` installs on a machine without a browser: those for x64 Linux. */
function countPackages(): number {
  const { packages } = JSON.parse(load('package-lock.json')) as { packages: Lock };
  const isFor = (only: readonly string[] | undefined, name: string): boolean => only?.includes(name) ?? true;
  return listNeeded(packages, ['', 'dashboard', 'runtime/browser']).filter((path) => {
    const { os, cpu, libc } = packages[path] ?? {};
    return isFor(os, 'linux') && isFor(cpu, 'x64') && isFor(libc, 'glibc');
  }).length;
}

/** The pages that people read: without decision records and the changelog. */
function listDocs(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'client/**/*.md', 'deploy/**/*.md'], {
    cwd: ROOT,
    exclude: ['**/node_modules', '**/decisions', 'CHANGELOG.md'],
  }).filter((path) => !path.includes('node_modules'));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
