/** The places that name the version of a release. */
export interface ReleaseFacts {
  /** The tag of the commit, such as `v1.2.3`. */
  tag: string;
  packageVersion: string;
  lockVersion: string;
  /** The text of CHANGELOG.md. */
  changelog: string;
}

/** Returns what disagrees with the version of package.json, one sentence each. */
export function findReleaseProblems({ tag, packageVersion, lockVersion, changelog }: ReleaseFacts): string[] {
  const problems: string[] = [];
  if (tag !== `v${packageVersion}`)
    problems.push(
      `The tag is ${tag}, and the version of package.json is ${packageVersion}: tag v${packageVersion}.`,
    );
  if (lockVersion !== packageVersion)
    problems.push(
      `package-lock.json has the version ${lockVersion}, not ${packageVersion}: run npm install --package-lock-only.`,
    );
  const entry = findEntry(changelog, packageVersion);
  if (entry === null)
    problems.push(
      `CHANGELOG.md has no entry «## [${packageVersion}] - <date>»: date the one of this release.`,
    );
  else if (!/^- /m.test(entry)) problems.push(`The entry of ${packageVersion} in CHANGELOG.md is empty.`);
  return problems;
}

/** Returns the text of a dated entry (https://keepachangelog.com/en/1.1.0/); null if there is none. */
function findEntry(changelog: string, version: string): string | null {
  const [, ...sections] = changelog.split(/^## /m);
  const heading = new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}\\s*$`, 'm');
  return sections.find((section) => heading.test(section.split('\n', 1)[0] ?? '')) ?? null;
}
