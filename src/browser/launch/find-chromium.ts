import { access, constants, readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** A headless-shell build of Chromium, and the environment that it needs. */
export interface ChromiumBinary {
  path: string;
  /** For LD_LIBRARY_PATH: the libraries that came with it; null for the system's. */
  libraryFolder: string | null;
  /** For FONTCONFIG_FILE; null for the system's configuration. */
  fontconfigFile: string | null;
}

const DEBIAN_PATHS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell'];

/**
 * Finds the browser at the given path; if that is null, Debian's headless shell, then one that
 * scripts/setup/chromium.mjs unpacked. Its fonts are those of scripts/setup/fonts.mjs. Returns null if there
 * is none.
 */
export async function findChromium(options: {
  chromiumPath: string | null;
  cacheDir: string | null;
}): Promise<ChromiumBinary | null> {
  const roots = listCacheRoots(options.cacheDir);
  const cached = await listFolders(roots, /^chromium-\d/);
  const [fonts] = await listFolders(roots, /^fonts-\d/);
  const candidates =
    options.chromiumPath === null
      ? [...DEBIAN_PATHS, ...cached.map((folder) => join(folder, 'chromium'))]
      : [options.chromiumPath];
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue;
    const libraries = join(dirname(path), 'lib', 'libnss3.so');
    return {
      path,
      libraryFolder: existsSync(libraries) ? dirname(libraries) : null,
      fontconfigFile: fonts === undefined ? null : join(fonts, 'fonts.conf'),
    };
  }
  return null;
}

function listCacheRoots(cacheDir: string | null): string[] {
  const own = join(homedir(), '.cache', 'utility-api');
  return cacheDir === null ? ['/var/cache/utility-api', own] : [cacheDir, '/var/cache/utility-api', own];
}

/**
 * Lists the folders that the setup has installed, root by root, the newest version first. A folder without a
 * manifest is incomplete.
 */
async function listFolders(roots: readonly string[], name: RegExp): Promise<string[]> {
  const names = await Promise.all(roots.map((root) => readdir(root).catch(() => [])));
  return roots.flatMap((root, index) =>
    (names[index] ?? [])
      .filter((entry) => name.test(entry) && existsSync(join(root, entry, 'manifest.json')))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((entry) => join(root, entry)),
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
