import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Fetches a package (`name@version`) through npm, without its scripts, because some packages download in
 * their install script. Returns the result of `use`, which gets the path of the tarball and its temporary
 * folder.
 */
export function withPackage<T>(spec: string, use: (tarball: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
    execFileSync('npm', ['pack', spec, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [name = ''] = readdirSync(folder);
    return use(join(folder, name), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
