/** The versions that a release names agree, and the change log has the form that tools and people expect. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { findReleaseProblems, type ReleaseFacts } from '../../scripts/release/find-problems.ts';

const GOOD: ReleaseFacts = {
  tag: 'v1.2.3',
  packageVersion: '1.2.3',
  lockVersion: '1.2.3',
  changelog:
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-01\n### Added\n- One.\n\n## [1.2.2] - 2026-10-01\n',
};

it('a release whose tag, versions and entry agree has no problem', () => {
  assert.deepEqual(findReleaseProblems(GOOD), []);
});

for (const [name, change, message] of [
  ['another tag', { tag: 'v1.2.4' }, /^The tag is v1\.2\.4, and the version of package\.json is 1\.2\.3/],
  ['a tag without v', { tag: '1.2.3' }, /^The tag is 1\.2\.3/],
  ['another lock', { lockVersion: '1.2.2' }, /^package-lock\.json has the version 1\.2\.2/],
  ['no entry', { changelog: '# Changelog\n\n## [Unreleased]\n- One.\n' }, /has no entry «## \[1\.2\.3\]/],
  ['an undated entry', { changelog: '## [1.2.3] - unreleased\n- One.\n' }, /has no entry/],
  ['an entry of a longer version', { changelog: '## [1.2.34] - 2026-11-01\n- One.\n' }, /has no entry/],
  [
    'an empty entry',
    { changelog: '## [1.2.3] - 2026-11-01\n\n## [1.2.2] - 2026-10-01\n- One.\n' },
    /is empty/,
  ],
] as const)
  it(`refused: ${name}`, () => {
    const problems = findReleaseProblems({ ...GOOD, ...change });
    assert.equal(problems.length, 1, problems.join(' '));
    assert.match(problems[0] ?? '', message);
  });

it('CHANGELOG.md names the version of package.json, dated or as not released yet', () => {
  const load = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const { version } = JSON.parse(load('package.json')) as { version: string };
  const headings = load('CHANGELOG.md').match(/^## .*$/gm) ?? [];
  assert.ok(headings.length > 0);
  for (const heading of headings)
    assert.match(heading, /^## \[(Unreleased|\d+\.\d+\.\d+)\]( - (unreleased|\d{4}-\d{2}-\d{2}))?$/);
  assert.ok(
    headings.some((heading) => heading.startsWith(`## [${version}]`)),
    `no entry of ${version}`,
  );
});
