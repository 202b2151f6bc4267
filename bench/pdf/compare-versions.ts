/**
 * Compares the static lane of two versions of this service, document by document, with the browser and the
 * fonts of this one. Each version has a process and a browser of its own; they take turns, and the medians
 * of all turns are compared.
 * `npm run bench:pdf:versions -- <checkout> [<checkout>]`: the version before, and the one after (this one by
 * default). Each checkout needs its node_modules. BENCH_ROUNDS sets the number of turns.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { longDocument, report } from '../../test/pdf/documents/report.ts';
import type { Turn } from './version-process.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40);

/** `renders`: how often one turn renders a document. `share`: the part of the rounds that it has. */
const DOCUMENTS = {
  line: { html: '<p>Hello, world.</p>', renders: 20, share: 1 },
  invoice: { html: invoice(), renders: 10, share: 1 },
  report: { html: report(10), renders: 2, share: 1 },
  long: { html: longDocument(), renders: 1, share: 0.1 },
};

interface Version {
  /** Renders a document this often, one after the other. */
  render(html: string, renders: number): Promise<Turn>;
  close(): void;
}

/** The numbers of the folders with fonts that versions look for. */
const FONT_VERSIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Makes a folder in which each version finds the browser and the fonts of this one. */
async function linkBrowser(): Promise<string> {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  if (!binary?.fontconfigFile) throw new Error('Run npm run setup first.');
  const folder = await mkdtemp(join(tmpdir(), 'compare-versions-'));
  await symlink(dirname(binary.path), join(folder, basename(dirname(binary.path))));
  for (const version of FONT_VERSIONS)
    await symlink(dirname(binary.fontconfigFile), join(folder, `fonts-${version}`));
  return folder;
}

async function openVersion(checkout: string, browserFolder: string): Promise<Version> {
  const child: ChildProcess = fork(new URL('./version-process.ts', import.meta.url), [
    pathToFileURL(resolve(checkout)).href,
    browserFolder,
  ]);
  await once(child, 'message');
  return {
    async render(html, renders) {
      child.send({ html, renders });
      const [turn] = (await once(child, 'message')) as [Turn];
      return turn;
    },
    close: () => child.disconnect(),
  };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const [before, after = '.'] = process.argv.slice(2);
if (before === undefined) {
  console.error('Name the checkout of the version before: npm run bench:pdf:versions -- <checkout>');
  process.exit(2);
}
const browserFolder = await linkBrowser();
const versions = [await openVersion(before, browserFolder), await openVersion(after, browserFolder)] as const;
console.log('document   before: ms, of which printing   after                 after / before');
for (const [name, { html, renders, share }] of Object.entries(DOCUMENTS)) {
  const turns: [Turn[], Turn[]] = [[], []];
  // The first two rounds warm up.
  for (let round = -2; round < ROUNDS * share; round += 1) {
    // Every other round is reversed, so that neither always follows the other.
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const turn = await versions[index].render(html, renders);
      if (round >= 0) turns[index].push(turn);
    }
  }
  const [old, current] = turns.map((all) => ({
    elapsedMs: median(all.map(({ elapsedMs }) => elapsedMs)),
    printMs: median(all.map(({ printMs }) => printMs)),
  }));
  if (!old || !current) continue;
  const format = ({ elapsedMs, printMs }: Turn): string => `${elapsedMs.toFixed(2)} (${printMs.toFixed(2)})`;
  const ratio = (current.elapsedMs / old.elapsedMs).toFixed(3);
  console.log(`${name.padEnd(10)} ${format(old).padEnd(27)}  ${format(current).padEnd(20)}  ${ratio}`);
}
for (const version of versions) version.close();
await rm(browserFolder, { recursive: true });
