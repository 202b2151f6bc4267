/**
 * npm run bench -- metadata-pages: compares early stop on and off on real pages, and getMetadata with three
 * peers field by field (every tenth page; `--every=N` changes that). Fetches the sources of ./sources.ts, or
 * reads the folders that are given as arguments. `--write` writes the tables to bench/metadata/results.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { installPeers } from '../../install-peers.ts';
import { compareFields } from './compare-fields.ts';
import { EarlyStopReport } from './compare-early-stop.ts';
import { listRealPages, type RealPage } from './list-pages.ts';
import { fetchSources } from './sources.ts';

const DOCUMENT = new URL('../results.md', import.meta.url);
const words = process.argv.slice(2);
const given = words.filter((word) => !word.startsWith('--'));
const every = Number(words.find((word) => word.startsWith('--every='))?.slice('--every='.length) ?? 10);
const head = {
  finalUrl: 'https://site.example/dir/page',
  status: 200,
  headers: new Map([['content-type', 'text/html']]),
  redirects: [],
};

// A peer may throw after it has returned.
process.on('uncaughtException', () => {});
const folders = given.length > 0 ? given : fetchSources();

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function* listAll(): Generator<RealPage & { folder: string }> {
  const seen = new Set<string>();
  for (const folder of folders)
    for (const page of listRealPages(folder, seen))
      yield { ...page, folder: basename(folder).replace('+', '/') };
}

function* sampleAll(): Generator<RealPage> {
  let at = 0;
  for (const page of listAll()) if (at++ % every === 0) yield page;
}

function compareEarlyStop(): string {
  const reports = new Map<string, EarlyStopReport>();
  for (const { folder, name, bytes } of listAll()) {
    const report = reports.get(folder) ?? new EarlyStopReport();
    reports.set(folder, report);
    const fields = report.add(bytes, head);
    if (fields.length > 0) console.error(`${folder} ${name}: ${fields.join(', ')}`);
  }
  const all = new EarlyStopReport();
  for (const report of reports.values()) all.merge(report);
  const rows = [...reports].map(([folder, { columns }]) => [folder, ...columns]);
  return table(
    ['source', 'pages', 'bytes read', 'differ', 'differ in the name of the charset only'],
    [...rows, ['all', ...all.columns]],
  );
}

const sections: Record<string, string> = { 'early stop': compareEarlyStop() };
console.log(sections['early stop']);
installPeers();
const { heads, rows } = await compareFields(sampleAll());
sections['real pages'] = table(heads, rows);
console.log(`\n${sections['real pages']}`);
if (words.includes('--write')) {
  let text = readFileSync(DOCUMENT, 'utf8');
  for (const [name, section] of Object.entries(sections))
    text = text.replace(
      new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`),
      (_, open: string, close: string) => `${open}\n${section}\n${close}`,
    );
  writeFileSync(DOCUMENT, text);
}
// A peer that still waits for a page would keep the process alive.
process.exit();
