/**
 * Prints the documents of documents.json with the library and with plain Chromium, and compares the pixels of
 * their pages: `npm run bench -- pdf-real`. `-- <regular expression>` chooses documents by package and path;
 * `-- --write` stores the verdicts in verdicts.tsv. A source that cannot be fetched is skipped with a reason.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  compareWithChromium,
  fetchFrom,
  serveFolders,
  toUrl,
  type Comparison,
} from '../../../test/pdf/support/compare-with-chromium.ts';
import { openEngine } from '../../../test/pdf/support/open-engine.ts';
import { openPlainChromium } from '../../../test/pdf/support/plain-chromium.ts';
import { fetchSource, findFault, type Source } from './fetch-sources.ts';

const words = process.argv.slice(2);
const filter = new RegExp(words.find((word) => !word.startsWith('--')) ?? '');
const load = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const sources = JSON.parse(load('documents.json')) as Source[];

/** Documents at a time: plain Chromium waits most of the time. */
const CALLERS = 3;

/** The folders of packages by origin. */
const folders = new Map<string, string>();
const findFile = serveFolders(folders);
await using engine = await openEngine({ openResourceFetcher: fetchFrom(findFile), slots: CALLERS });
await using chromium = await openPlainChromium(findFile);
const rows: string[] = [];
const counts = new Map<string, number>();

function report(name: string, { verdict, lane, detail }: Omit<Comparison, 'verdict'> & { verdict: string }) {
  const kind = lane === '' ? verdict : `${verdict}, ${lane} lane`;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  rows.push([name, verdict, lane, detail].join('\t'));
  console.log([name, verdict, lane, detail].join('  '));
}

/** Returns the documents that can be compared, and reports the others. */
function* listDocuments(): Generator<{ name: string; url: string }> {
  for (const [at, source] of sources.entries()) {
    const chosen = Object.entries(source.documents);
    const names = chosen.filter(([path]) => filter.test(`${source.package} ${path}`));
    if (names.length === 0) continue;
    const origin = `https://source-${at}.example`;
    let reason: string | null = null;
    try {
      folders.set(origin, fetchSource(source));
    } catch (error) {
      reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    }
    for (const [path, sha256] of names) {
      const name = `${source.package} ${path}`;
      const fault = reason ?? findFault(folders.get(origin) ?? '', path, sha256);
      if (fault === null) yield { name, url: toUrl(origin, path) };
      else report(name, { verdict: 'skipped', lane: '', detail: fault });
    }
  }
}

const documents = listDocuments();
async function compareNext(): Promise<void> {
  for (const { name, url } of documents)
    report(name, await compareWithChromium(url, { engine, chromium, findFile }));
}
await Promise.all(Array.from({ length: CALLERS }, compareNext));
console.log(`\n${rows.length} documents`);
for (const [kind, count] of [...counts].toSorted(([one], [other]) => one.localeCompare(other)))
  console.log(`${String(count).padStart(5)} ${kind}`);
if (words.includes('--write'))
  writeFileSync(new URL('verdicts.tsv', import.meta.url), `${rows.toSorted().join('\n')}\n`);
