import { access, constants, readdir } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { findProcess } from './run-folder.ts';

/** A headless-shell build of Chromium, and the environment that it needs. */
export interface ChromiumBinary {
  path: string;
  /** For LD_LIBRARY_PATH: the libraries that came with it; null for the system's. */
  libraryFolder: string | null;
  /** For FONTCONFIG_FILE; null for the system's configuration. */
  fontconfigFile: string | null;
}

/** Paths by platform. The set-up reads the same file (scripts/setup/installed-browsers.mjs). */
const PLACES = JSON.parse(
  readFileSync(new URL('installed-browsers.json', import.meta.url), 'utf8'),
) as Record<'headlessShells' | 'fullBrowsers', Record<string, string[]>>;

/** The machine on which a browser is looked for. Tests have a folder of their own as its root. */
export interface Machine {
  platform: string;
  home: string;
  root: string;
}

/**
 * Finds the browser at the given path; if that is null, an installed headless shell, then one that
 * scripts/setup/chromium.mjs unpacked, then an installed Chrome or Chromium. Its fonts come from
 * scripts/setup/fonts.mjs. Returns null if there is none.
 */
export async function findChromium(
  options: { chromiumPath: string | null; cacheDir: string | null },
  machine: Machine = { platform: platform(), home: getHome(), root: '' },
): Promise<ChromiumBinary | null> {
  const roots = listCacheRoots(options.cacheDir, machine);
  const cached = await listFolders(roots, /^chromium-\d/);
  const [fonts] = await listFolders(roots, /^fonts-\d/);
  const candidates =
    options.chromiumPath === null
      ? [
          ...listPlaces(PLACES.headlessShells, machine),
          ...cached.map((folder) => join(folder, 'chromium')),
          ...listPlaces(PLACES.fullBrowsers, machine),
        ]
      : [options.chromiumPath];
  for (const path of candidates) {
    if ((await access(path, constants.X_OK).catch(() => 'not executable')) !== undefined) continue;
    const libraries = join(dirname(path), 'lib', 'libnss3.so');
    return {
      path,
      libraryFolder: existsSync(libraries) ? dirname(libraries) : null,
      fontconfigFile: fonts === undefined ? null : join(fonts, 'fonts.conf'),
    };
  }
  return null;
}

/**
 * Checks whether a set-up is unpacking a browser or its fonts: it names the folder after its process
 * (scripts/setup/cache-folder.mjs).
 */
export async function isBeingUnpacked(
  cacheDir: string | null,
  machine: Machine = { platform: platform(), home: getHome(), root: '' },
): Promise<boolean> {
  const roots = listCacheRoots(cacheDir, machine);
  const names = await Promise.all(roots.map((root) => readdir(root).catch(() => [])));
  const pids = names.flat().map((name) => /^\.new-(?:chromium|fonts)-[\d.]+-(\d+)-\d+$/.exec(name)?.[1]);
  return pids.some((pid) => pid !== undefined && findProcess(Number(pid)) !== null);
}

/** A user without an account, as containers have, may have no home: homedir() then throws. */
function getHome(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

function listPlaces(places: Record<string, string[]>, { platform, home, root }: Machine): string[] {
  return (places[platform] ?? []).map((path) =>
    path.startsWith('~/') ? join(home, path.slice(2)) : `${root}${path}`,
  );
}

function listCacheRoots(cacheDir: string | null, { home, root }: Machine): string[] {
  const own = join(home, '.cache', 'utility-api');
  const system = `${root}/var/cache/utility-api`;
  return cacheDir === null ? [system, own] : [cacheDir, system, own];
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
