/**
 * The test files that run together, one process for each group: to start a process and load the service
 * takes longer than most of their tests. A file that measures memory, CPU time or turns, or that changes or
 * watches its process, is named `*.alone.test.ts` and has a process of its own.
 */
import { globSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const root = new URL('../../', import.meta.url);

/** The folders of groups that have more than one, by the name of their file in test/together/. */
const FOLDERS: Readonly<Record<string, string>> = {
  client: 'client/test',
  documents: 'test/{map,build,deploy,metrics,release,python,architecture,docs}',
  operators: 'test/{accounts,cli,usage,quotas}',
  project: 'test',
};

/** The groups: each folder with test files is one, or a part of one. */
export const TEST_GROUPS: readonly string[] = globSync('test/together/*.test.ts', { cwd: root })
  .map((file) => basename(file, '.test.ts'))
  .toSorted();

/** Returns the paths of the files of a group, sorted: those of `api-account` are in test/api/account/. */
export function listGroupFiles(group: string): string[] {
  const folder = FOLDERS[group] ?? `test/${group.replaceAll('-', '/')}`;
  const files = globSync(`${folder}/!(*.alone).test.ts`, { cwd: root });
  return files.filter((file) => file !== 'test/all-units.test.ts').toSorted();
}

/**
 * Returns what `npm test` starts, a process for each: the groups and the files that run alone. The largest
 * start first, as a long one that starts last would run by itself.
 */
export function listTestFiles(): string[] {
  const globs = ['{src,test}/**/*.alone.test.ts', 'test/together/*.test.ts', 'test/all-units.test.ts'];
  const sizes = globSync(globs, { cwd: root }).map((file) => ({ file, bytes: measure(file) }));
  return sizes.toSorted((one, other) => other.bytes - one.bytes).map(({ file }) => file);
}

/** Returns the bytes of the tests that a file runs. */
function measure(file: string): number {
  const group = /^test\/together\/(.*)\.test\.ts$/.exec(file)?.[1];
  const files = group === undefined ? [file] : listGroupFiles(group);
  if (file === 'test/all-units.test.ts') files.push(...globSync('src/**/*.test.ts', { cwd: root }));
  return files.reduce((sum, path) => sum + statSync(new URL(path, root)).size, 0);
}
