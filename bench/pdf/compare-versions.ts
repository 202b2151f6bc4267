/**
 * Compares the static lane of two versions of this service, document by document, with the browser and the
 * fonts of this one. Each version has a process and a browser of its own, started anew several times, because
 * one browser is up to 15 % faster than the next. They take turns, and the medians of all turns are compared.
 * `npm run bench:pdf:versions -- <checkout> [<checkout>]`: the version before, and the one after (this one by
 * default). Each checkout needs its node_modules. BENCH_STARTS sets how often both are started.
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

const STARTS = Number(process.env['BENCH_STARTS'] ?? 8);
const WARM_UP_ROUNDS = 2;

/** `renders`: how often one turn renders a document. `rounds`: turns of each version per start. */
const DOCUMENTS = {
  line: { html: '<p>Hello, world.</p>', renders: 20, rounds: 8 },
  invoice: { html: invoice(), renders: 10, rounds: 8 },
  report: { html: report(10), renders: 2, rounds: 8 },
  long: { html: longDocument(), renders: 1, rounds: 1 },
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

type Turns = [before: Turn[], after: Turn[]];

/** Starts both versions, and adds their turns with each document. */
async function measure(checkouts: readonly string[], browserFolder: string, all: Map<string, Turns>) {
  const versions: Version[] = [];
  for (const checkout of checkouts) versions.push(await openVersion(checkout, browserFolder));
  for (const [name, { html, renders, rounds }] of Object.entries(DOCUMENTS)) {
    const turns = all.get(name) ?? [[], []];
    all.set(name, turns);
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      // Every other round is reversed, so that neither always follows the other.
      for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const turn = await versions[index]?.render(html, renders);
        if (turn && round >= 0) turns[index].push(turn);
      }
    }
  }
  for (const version of versions) version.close();
}

const all = new Map<string, Turns>();
const browserFolder = await linkBrowser();
for (let start = 0; start < STARTS; start += 1) await measure([before, after], browserFolder, all);
await rm(browserFolder, { recursive: true });
console.log('document   before: ms, of which printing   after                 after / before');
for (const [name, turns] of all) {
  const [old, current] = turns.map((one) => ({
    elapsedMs: median(one.map(({ elapsedMs }) => elapsedMs)),
    printMs: median(one.map(({ printMs }) => printMs)),
  }));
  if (!old || !current) continue;
  const format = ({ elapsedMs, printMs }: Turn): string => `${elapsedMs.toFixed(2)} (${printMs.toFixed(2)})`;
  const ratio = (current.elapsedMs / old.elapsedMs).toFixed(3);
  console.log(`${name.padEnd(10)} ${format(old).padEnd(27)}  ${format(current).padEnd(20)}  ${ratio}`);
}
