/**
 * Rebuilds `src/email/data` and the samples in `test/email/lists` from the pinned sources and the overlay in
 * `scripts/domain-lists`, and prints the changes. The same inputs give the same bytes. Sources that are not
 * in the folder of inputs are fetched. `--check` writes nothing and exits with 1 if a file would change;
 * `--inputs <folder>` names another folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  buildOverlayLists,
  buildSourceLists,
  formatList,
  type BuiltLists,
  parseEntries,
} from './domain-lists/build-domain-lists.ts';
import { buildSamples } from './domain-lists/build-samples.ts';
import { formatCoverage } from './domain-lists/coverage.ts';
import { LIST_TITLES } from './domain-lists/list-titles.ts';
import { computeListHash, loadDisposablePackage, loadOverlay } from './domain-lists/load-list-inputs.ts';
import { INPUT_FOLDER, loadSources } from './domain-lists/load-sources.ts';
import { parseSources } from './domain-lists/parse-source.ts';

const DATA = new URL('../src/email/data/', import.meta.url);
const SAMPLES = new URL('../test/email/lists/', import.meta.url);
const SHOWN = 20;

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, inputs: { type: 'string', default: INPUT_FOLDER } },
});
const overlay = loadOverlay();
const inputs = {
  disposablePackage: loadDisposablePackage(),
  sources: parseSources(await loadSources(options.inputs)),
  overlay,
};
// First, because the other lists depend on what the service corrects with these.
const overlayChanges = writeLists(DATA, buildOverlayLists(overlay));
const { lists, judgments } = buildSourceLists(inputs);
const changes = overlayChanges + writeLists(DATA, lists) + writeLists(SAMPLES, buildSamples(inputs));
console.log(formatCoverage(inputs, judgments));
console.log(
  changes === 0
    ? 'Every list is up to date.'
    : `${changes} files ${options.check ? 'would change' : 'changed'}.`,
);
if (options.check && changes > 0) process.exitCode = 1;

function writeLists(folder: URL, built: BuiltLists): number {
  let count = 0;
  for (const [name, entries] of Object.entries(built)) {
    const file = new URL(name, folder);
    const text = formatList(LIST_TITLES[name] ?? 'Our own list.', computeListHash(name, overlay), entries);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text === before) continue;
    count++;
    printChange(name, parseEntries(before), entries);
    if (!options.check) writeFileSync(file, text);
  }
  return count;
}

function printChange(name: string, before: readonly string[], after: readonly string[]): void {
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
