import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Returns the folder of another version, with its packages. `version` is a folder that has both, or a git
 * revision, which is checked out into a temporary folder that is kept for the next time.
 */
export function setUpCheckout(version: string): string {
  if (existsSync(join(version, 'package.json'))) return resolve(version);
  const git = (...words: string[]): Buffer =>
    execFileSync('git', words, { cwd: ROOT, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'inherit'] });
  const commit = git('rev-parse', '--verify', `${version}^{commit}`).toString().trim();
  const folder = join(tmpdir(), `utility-api-${commit}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  try {
    mkdirSync(partial);
    execFileSync('tar', ['--extract', '--directory', partial], { input: git('archive', commit) });
    addPackages(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Installs the packages of a version, or uses those of this one if they are the same. */
function addPackages(folder: string): void {
  const [own, other] = [ROOT, folder].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'));
  if (own === other) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  console.log(`Installing the packages of ${folder} …`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
