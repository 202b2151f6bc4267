/** Programs of Debian packages for tests, unpacked into a cache: nothing is installed, no root is needed. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url));
/** The folders of programs. Debian's daemons are in `sbin`, which is not in the PATH of all users. */
const FOLDERS = ['usr/sbin', 'usr/bin', 'sbin', 'bin'];

export interface Program {
  path: string;
  /** The folders of its libraries, for LD_LIBRARY_PATH. */
  libraries: string[];
}

/**
 * Returns a program of the machine, else the one in these packages, which are downloaded once. Throws an
 * Error that says why there is none.
 */
export function findProgram(name: string, packages: readonly string[]): Program {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS.map((folder) => `/${folder}`)];
  const installed = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, libraries: [] };
  const cache = join(CACHE, name);
  const unpacked = findUnpacked(cache, name) ?? (unpack(cache, packages), findUnpacked(cache, name));
  if (unpacked === null) throw new Error(`the packages ${packages.join(', ')} contain no ${name}`);
  return unpacked;
}

function findUnpacked(cache: string, name: string): Program | null {
  const path = FOLDERS.map((folder) => join(cache, folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  return { path, libraries: globSync(join(cache, '{usr/,}lib/*-linux-gnu')) };
}

function unpack(cache: string, packages: readonly string[]): void {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    run('apt-get', [...prepareApt(folder, packages), 'download', ...packages], folder);
    for (const file of globSync(join(folder, '*.deb'))) run('dpkg', ['-x', file, join(folder, 'tree')]);
    // Test files run at the same time: the first one to finish provides the program.
    if (!existsSync(cache)) renameSync(join(folder, 'tree'), cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns options of apt. If the machine has no lists of packages, they are fetched into `folder`. */
function prepareApt(folder: string, packages: readonly string[]): string[] {
  try {
    run('apt-get', ['--print-uris', 'download', ...packages]);
    return [];
  } catch {
    for (const name of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(folder, name), { recursive: true });
    const options = [`Dir::State::lists=${join(folder, 'lists')}`, `Dir::Cache=${join(folder, 'cache')}`];
    const flags = options.flatMap((option) => ['-o', option]);
    run('apt-get', [...flags, 'update']);
    return flags;
  }
}

function run(command: string, args: string[], cwd?: string): void {
  execFileSync(command, args, {
    cwd,
    stdio: 'ignore',
    timeout: 120_000,
  });
}
