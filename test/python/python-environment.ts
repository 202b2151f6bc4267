/**
 * Makes the virtual environments of the Python tests: in node_modules/.cache, from PyPI, with pinned versions
 * and hashes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Python {
  path: string;
  /** The version, like 3.11.7. */
  version: string;
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/python/', import.meta.url));
const NAMES = ['python3', ...[14, 13, 12, 11, 10, 9].map((minor) => `python3.${minor}`), 'python'];
/** Prints the version of a Python that can make virtual environments. */
const PROBE = 'import sys, venv, ensurepip; print("%d.%d.%d" % sys.version_info[:3])';

/**
 * Returns the first Python of the machine with this version or a later one, or the reason why there is none.
 * PYTHON_PATH names another. Throws if PYTHON_PATH names none.
 */
export function findPython(minMinor: number): Python | string {
  const given = process.env['PYTHON_PATH'];
  for (const path of given ? [given] : NAMES) {
    const { stdout, status } = spawnSync(path, ['-c', PROBE], { encoding: 'utf8' });
    const version = status === 0 ? stdout.trim() : '';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major === 3 && minor >= minMinor) return { path, version };
  }
  const wanted = `Python 3.${minMinor} or later with venv`;
  if (given) throw new Error(`PYTHON_PATH is ${given}, which is no ${wanted}: correct it`);
  return `no ${wanted}: install it, or set PYTHON_PATH to it`;
}

/** PyPI could not be reached, or has no such packages. */
export class InstallError extends Error {
  override name = 'InstallError';
}

/**
 * Returns the folder of the programs of an environment with these packages. One that exists is used again.
 * Throws InstallError if the packages cannot be had, and Error if they do not have the hashes of the file.
 */
export function prepareEnvironment(python: Python, requirements: URL): string {
  const key = createHash('sha256')
    .update(`${python.path} ${python.version}\n`)
    .update(readFileSync(requirements))
    .digest('hex');
  const folder = join(CACHE, key.slice(0, 16));
  const programs = join(folder, 'bin');
  const marker = join(folder, 'installed');
  if (existsSync(marker)) return programs;
  console.log(`python: installing ${fileURLToPath(requirements)} for Python ${python.version} …`);
  rmSync(folder, { recursive: true, force: true });
  run(python.path, ['-m', 'venv', folder]);
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const packages = ['--require-hashes', '--only-binary', ':all:', '-r', fileURLToPath(requirements)];
  run(join(programs, 'python'), [...install, ...packages]);
  writeFileSync(marker, '');
  return programs;
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  const text = `${program} ${args.slice(0, 3).join(' ')} failed:\n${stderr.trim()}`;
  throw /DO NOT MATCH THE HASHES/i.test(stderr) ? new Error(text) : new InstallError(text);
}
