/**
 * Rebuilds `src/email/data` and the samples in `test/email/lists` from the pinned histories and sources and
 * the overlay in `scripts/domain-lists`, and prints the changes. The same inputs give the same bytes. Inputs
 * that are not in the folder of inputs are fetched. `--check` writes nothing and exits with 1 if a file would
 * change; `--inputs <folder>` names another folder. `--latest` only pins the newest commits of the histories.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  buildOverlayLists,
  buildSourceLists,
  formatList,
  gradeNames,
  type BuiltLists,
} from './domain-lists/build-domain-lists.ts';
import { buildSamples } from './domain-lists/build-samples.ts';
import { parseEntries } from './domain-lists/entries.ts';
import { LIST_TITLES } from './domain-lists/list-titles.ts';
import { computeListHash, loadListInputs, loadOverlay } from './domain-lists/load-list-inputs.ts';
import { INPUT_FOLDER } from './domain-lists/load-sources.ts';
import { pinLatest } from './domain-lists/pin-latest.ts';

const DATA = new URL('../src/email/data/', import.meta.url);
const SAMPLES = new URL('../test/email/lists/', import.meta.url);
const SHOWN = 20;

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean' },
    latest: { type: 'boolean' },
    inputs: { type: 'string', default: INPUT_FOLDER },
  },
});
if (options.latest) console.log(`${pinLatest()} Run npm run lists -- update.`);
else await updateLists();

async function updateLists(): Promise<void> {
  const inputs = await loadListInputs(options.inputs);
  // First, because the other lists depend on what the service corrects with these.
  const overlayChanges = writeLists(DATA, buildOverlayLists(inputs.overlay));
  const graded = gradeNames(inputs);
  const lists = writeLists(DATA, buildSourceLists(inputs, graded));
  const changes = overlayChanges + lists + writeLists(SAMPLES, buildSamples(inputs, graded));
  const { disposable, suspected, never } = graded;
  console.log(`${disposable.size} disposable, ${suspected.size} suspected, ${never.size} never disposable.`);
  console.log(
    changes === 0
      ? 'Every list is up to date.'
      : `${changes} files ${options.check ? 'would change' : 'changed'}.`,
  );
  if (options.check && changes > 0) process.exitCode = 1;
}

function writeLists(folder: URL, built: BuiltLists): number {
  let count = 0;
  for (const [name, entries] of Object.entries(built)) {
    const file = new URL(name, folder);
    const text = formatList(
      LIST_TITLES[name] ?? 'Our own list.',
      computeListHash(name, loadOverlay()),
      entries,
    );
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text === before) continue;
    count++;
    printChange(name, parseEntries(before), entries);
    if (!options.check) writeFileSync(file, text);
  }
  return count;
}

function printChange(name: string, before: readonly string[], after: readonly string[]): void {
  const [was, is] = [before, after].map((entries) => new Set(entries.map(getName)));
  const added = after.filter((entry) => !was?.has(getName(entry)));
  const removed = before.filter((entry) => !is?.has(getName(entry)));
  console.log(`${name}: ${after.length} entries, ${added.length} added, ${removed.length} removed`);
  for (const [sign, entries] of [
    ['+', added],
    ['-', removed],
  ] as const) {
    for (const entry of entries.slice(0, SHOWN)) console.log(`  ${sign} ${entry}`);
    if (entries.length > SHOWN) console.log(`  ${sign} … and ${entries.length - SHOWN} more`);
  }
}

/** The name of an entry, without its evidence. */
function getName(entry: string): string {
  return entry.split(' ', 1)[0] ?? '';
}
