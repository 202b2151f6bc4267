/**
 * Finds Java and the validators: Mustang's, whose shaded jar has veraPDF too. Maven fetches it once into the
 * cache that the browser and the fonts are in, outside the checkout.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getCacheRoot } from '../../../scripts/setup/cache-folder.mjs';

/** Mustang 2.26.0 has veraPDF 1.30.1. */
const VERSION = '2.26.0';
const ARTIFACT = `org.mustangproject:validator:${VERSION}:jar:shaded`;
const SHA256 = '23e9a985858e9926bd4d820634d7cf1dad418267fe3fa22df14ce2613c106057';
/** The last version that can store one file of a package whose parent is not published. */
const GET = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:get';
const MIN_JAVA = 17;
const TIMEOUT_MS = 240_000;

/** A jar could not be fetched, which is no fault of the tested code. */
export class InstallError extends Error {
  override name = 'InstallError';
}

/** Returns why the machine cannot run the validators, or null if it can. */
export function findMissingProgram(): string | null {
  const version = Number(/^javac (\d+)/.exec(run('javac', ['-version']).output)?.[1] ?? 0);
  if (version < MIN_JAVA) return `no Java ${MIN_JAVA} or later with its compiler (a JDK)`;
  if (!existsSync(getJarPath()) && run('mvn', ['-version']).status !== 0) return 'no Maven';
  return null;
}

function getJarPath(): string {
  return join(getCacheRoot(), `pdf-validators-${VERSION}`, 'validator.jar');
}

/** Returns the path of the jar. Throws InstallError if it cannot be fetched, Error if it is another one. */
export function installValidators(): string {
  const path = getJarPath();
  if (existsSync(path)) {
    checkHash(path);
    return path;
  }
  console.log('validators: fetching Mustang and veraPDF (52 MB) with Maven …');
  mkdirSync(getCacheRoot(), { recursive: true });
  const folder = mkdtempSync(join(getCacheRoot(), '.new-validators-'));
  try {
    const fetched = join(folder, 'fetched.jar');
    const { status, output } = run('mvn', [
      '-B',
      '-q',
      GET,
      `-Dartifact=${ARTIFACT}`,
      '-Dtransitive=false',
      `-Ddest=${fetched}`,
    ]);
    if (status !== 0 || !existsSync(fetched))
      throw new InstallError(`Maven could not fetch ${ARTIFACT}:\n${output.trim()}`);
    checkHash(fetched);
    mkdirSync(join(path, '..'), { recursive: true });
    copyFileSync(fetched, `${path}.${process.pid}`);
    renameSync(`${path}.${process.pid}`, path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkHash(path: string): void {
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (hash !== SHA256) throw new Error(`${path} has the SHA-256 ${hash}, not ${SHA256}: remove it`);
}

function run(program: string, args: readonly string[]): { status: number; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: TIMEOUT_MS });
  return { status: status ?? 1, output: `${stdout ?? ''}${stderr ?? ''}` };
}
