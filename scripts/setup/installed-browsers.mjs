/** Finds a browser that is installed on this machine, in the places where the service looks. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The service reads the same file (src/browser/launch/find-chromium.ts). */
const PLACES = JSON.parse(
  readFileSync(new URL('../../src/browser/launch/installed-browsers.json', import.meta.url), 'utf8'),
);

/** Finds an installed headless shell; null if there is none. */
export function findHeadlessShell(machine) {
  return find(PLACES.headlessShells, machine);
}

/** Finds an installed Chrome or Chromium; null if there is none. It prints slower than a headless shell. */
export function findFullBrowser(machine) {
  return find(PLACES.fullBrowsers, machine);
}

/** `root` is put before the absolute paths: tests have a folder of their own there. */
function find(places, { platform = process.platform, home = homedir(), root = '' } = {}) {
  const paths = (places[platform] ?? []).map((path) =>
    path.startsWith('~/') ? join(home, path.slice(2)) : `${root}${path}`,
  );
  return paths.find(isExecutable) ?? null;
}

/** Checks whether the path is a file that may be executed. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
