/** Finds a Redis or Valkey server for tests: on the machine, else in the packages of its distribution. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServerBinary {
  path: string;
  /** The folders of its libraries, for LD_LIBRARY_PATH. */
  libraries: string[];
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/redis-server', import.meta.url));
const NAMES = ['redis-server', 'valkey-server'];

/** Returns the server, or throws an Error that says why there is none. */
export function findServerBinary(): ServerBinary {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    for (const name of NAMES)
      if (existsSync(join(folder, name))) return { path: join(folder, name), libraries: [] };
  const known = findUnpacked(CACHE);
  if (known) return known;
  unpackPackages();
  const unpacked = findUnpacked(CACHE);
  if (!unpacked) throw new Error('the packages of this distribution contain no server');
  return unpacked;
}

function findUnpacked(folder: string): ServerBinary | null {
  const path = NAMES.map((name) => join(folder, 'usr/bin', name)).find(existsSync);
  return path === undefined ? null : { path, libraries: globSync(join(folder, 'usr/lib/*-linux-gnu')) };
}

/** Downloads the packages with their libraries and unpacks them, without root and without installing them. */
function unpackPackages(): void {
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const folder = mkdtempSync(`${CACHE}-`);
  try {
    const options = prepareApt(folder);
    const server = NAMES.find((name) => findLibraries(options, name) !== null);
    if (server === undefined) throw new Error('apt knows neither redis-server nor valkey-server');
    const tools = server.replace('-server', '-tools');
    const libraries = [server, tools].flatMap((name) => findLibraries(options, name) ?? []);
    const names = [...new Set([server, tools, ...libraries])];
    run('apt-get', [...options, 'download', ...names], folder);
    for (const file of globSync(join(folder, '*.deb'))) run('dpkg', ['-x', file, join(folder, 'tree')]);
    // Test files run at the same time: the first one to finish provides the server.
    if (!existsSync(CACHE)) renameSync(join(folder, 'tree'), CACHE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns options of apt; if the machine has no lists of packages, they are fetched into `folder`. */
function prepareApt(folder: string): string[] {
  if (NAMES.some((name) => findLibraries([], name) !== null)) return [];
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true });
  const options = [
    '-o',
    `Dir::State::lists=${join(folder, 'lists')}`,
    '-o',
    `Dir::Cache=${join(folder, 'cache')}`,
  ];
  run('apt-get', [...options, 'update']);
  return options;
}

/**
 * Returns the libraries of a package that this process does not need itself; null if apt does not know it.
 */
function findLibraries(options: string[], name: string): string[] | null {
  let text: string;
  try {
    text = run('apt-cache', [...options, 'depends', '--no-recommends', '--no-suggests', name]);
  } catch {
    return null;
  }
  const found = [...text.matchAll(/Depends: ((?:lib|lua-)[^\s<>]+)$/gm)].map(([, library = '']) => library);
  return found.filter((library) => !/^lib(c6|gcc-s1|stdc\+\+6)/.test(library));
}

function run(command: string, args: string[], cwd?: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  });
}
