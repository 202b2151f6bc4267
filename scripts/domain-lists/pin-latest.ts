import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { HISTORIES } from './histories.ts';

const FILE = new URL('./histories.ts', import.meta.url);

/** Writes the newest commits of the repositories into `histories.ts`, and says how many have moved. */
export function pinLatest(): string {
  let text = readFileSync(FILE, 'utf8');
  const pinned = new Map(Object.values(HISTORIES).map(({ repository, commit }) => [repository, commit]));
  let moved = 0;
  for (const [repository, commit] of pinned) {
    const heads = execFileSync('git', ['ls-remote', repository, 'HEAD'], { encoding: 'utf8' });
    const latest = heads.slice(0, commit.length);
    if (!/^[0-9a-f]{40}$/.test(latest)) throw new Error(`${repository} has no HEAD: ${heads}`);
    if (latest === commit) continue;
    text = text.replace(commit, latest);
    moved++;
  }
  writeFileSync(FILE, text);
  return `${moved} of ${pinned.size} histories have moved.`;
}
