import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FOLDER = new URL('./', import.meta.url);

/**
 * Installs what bench/package.json names (the service's rivals), where it is not there yet as the lock says.
 */
export function installPeers(): void {
  if (isInstalled()) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
}

function isInstalled(): boolean {
  try {
    const wanted = readPackages('package-lock.json');
    const found = readPackages('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || found[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

function readPackages(path: string): Record<string, { version: string; optional?: true }> {
  const lock = JSON.parse(readFileSync(new URL(path, FOLDER), 'utf8')) as {
    packages: Record<string, { version: string; optional?: true }>;
  };
  return lock.packages;
}
