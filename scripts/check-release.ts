/** node scripts/check-release.ts <tag>: fails if the tag, the version and CHANGELOG.md do not agree. */
import { readFileSync } from 'node:fs';
import { findReleaseProblems } from './release/find-problems.ts';

function load(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}

const { version } = JSON.parse(load('package.json')) as { version: string };
const { version: lockVersion } = JSON.parse(load('package-lock.json')) as { version: string };
const problems = findReleaseProblems({
  tag: process.argv[2] ?? '',
  packageVersion: version,
  lockVersion,
  changelog: load('CHANGELOG.md'),
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
