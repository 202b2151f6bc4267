/** Programs of Debian packages for tests, unpacked into a cache: nothing is installed, no root is needed. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patientMs } from './patience.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url));
/** The folders of programs. Debian's daemons are in `sbin`, which is not in the PATH of all users. */
const FOLDERS = ['usr/sbin', 'usr/bin', 'sbin', 'bin'];

export interface Program {
  path: string;
  /** The folders of its libraries, for LD_LIBRARY_PATH. */
  libraries: string[];
}

/** A program, and the packages that it is in. Their libraries are found by their dependencies. */
export interface ProgramChoice {
  name: string;
  packages: readonly string[];
  /** Machines without a desktop lack the libraries of its libraries too. */
  needsAllLibraries?: boolean;
}

/**
 * Returns the first program that the machine has, else the first that a package has, which is downloaded
 * once. Throws an Error that says why there is none.
 */
export function findProgram(...choices: readonly ProgramChoice[]): Program {
  for (const { name } of choices) {
    const installed = findInstalled(name) ?? findUnpacked(name);
    if (installed !== null) return installed;
  }
  const choice = unpack(choices);
  const unpacked = findUnpacked(choice.name);
  if (unpacked === null)
    throw new Error(`the packages ${choice.packages.join(', ')} contain no ${choice.name}`);
  return unpacked;
}

function findInstalled(name: string): Program | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS.map((folder) => `/${folder}`)];
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  return path === undefined ? null : { path, libraries: [] };
}

function findUnpacked(name: string): Program | null {
  const cache = join(CACHE, name);
  const path = FOLDERS.map((folder) => join(cache, folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  return { path, libraries: globSync(join(cache, '{usr/,}lib/*-linux-gnu')) };
}

/** Downloads and unpacks the first choice that apt knows, and returns it. */
function unpack(choices: readonly ProgramChoice[]): ProgramChoice {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'unpack-'));
  try {
    const options = prepareApt(folder, choices);
    const choice = choices.find(({ packages }) => isKnown(packages, options));
    if (choice === undefined)
      throw new Error(`apt does not know ${choices.map(({ packages }) => packages.join(', ')).join(' or ')}`);
    const libraries = choice.packages.flatMap((name) => findLibraries(name, options));
    if (choice.needsAllLibraries === true)
      for (const name of libraries)
        libraries.push(...findLibraries(name, options).filter((found) => !libraries.includes(found)));
    run('apt-get', [...options, 'download', ...new Set([...choice.packages, ...libraries])], folder);
    for (const file of globSync(join(folder, '*.deb'))) run('dpkg', ['-x', file, join(folder, 'tree')]);
    // Test files run at the same time: the first one to finish provides the program.
    const cache = join(CACHE, choice.name);
    if (!existsSync(cache)) renameSync(join(folder, 'tree'), cache);
    return choice;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns options of apt. If the machine has no lists of packages, they are fetched into `folder`. */
function prepareApt(folder: string, choices: readonly ProgramChoice[]): string[] {
  if (choices.some(({ packages }) => isKnown(packages, []))) return [];
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true });
  const paths = [`Dir::State::lists=${join(folder, 'lists')}`, `Dir::Cache=${join(folder, 'cache')}`];
  const options = paths.flatMap((path) => ['-o', path]);
  run('apt-get', [...options, 'update']);
  return options;
}

function isKnown(packages: readonly string[], options: readonly string[]): boolean {
  try {
    run('apt-get', [...options, '--print-uris', 'download', ...packages]);
    return true;
  } catch {
    return false;
  }
}

/** Returns the libraries that a package depends on, without those that this process needs itself. */
function findLibraries(name: string, options: readonly string[]): string[] {
  const text = run('apt-cache', [...options, 'depends', '--no-recommends', '--no-suggests', name]);
  const found = [...text.matchAll(/Depends: ((?:lib|lua-)[^\s<>]+)$/gm)].map(([, library = '']) => library);
  return found.filter((library) => !/^lib(c6|gcc-s1|stdc\+\+6)/.test(library));
}

function run(command: string, args: readonly string[], cwd?: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patientMs(120_000),
  });
}
