/**
 * The folder outside the checkout where the browser, the fonts and Node are unpacked: CHROMIUM_CACHE, else
 * /var/cache/utility-api, else, without root, the user's cache folder. Its folders are installed atomically.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const STALE_AFTER_MS = 60 * 60 * 1000;

/** Returns the cache's root folder for this user, which may not exist yet. */
export function getCacheRoot() {
  if (process.env.CHROMIUM_CACHE) return resolve(process.env.CHROMIUM_CACHE);
  if (process.getuid?.() === 0) return '/var/cache/utility-api';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'utility-api');
}

/**
 * Lists the root folders that an earlier setup may have used: the one that CHROMIUM_CACHE names, else the
 * cache of the user, then that of root.
 */
export function listCacheRoots() {
  if (process.env.CHROMIUM_CACHE) return [getCacheRoot()];
  return [...new Set([getCacheRoot(), '/var/cache/utility-api'])];
}

/**
 * Finds the first parent of `folder` that other users may not enter, or null. The browser runs as another
 * user.
 */
export function findClosedFolder(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return at;
    if (at === dirname(at)) return null;
  }
}

/**
 * Installs `<root>/<name>` atomically: `fill` writes into a temporary folder beside it, which is then
 * renamed. Of two concurrent setups the first one wins. An incomplete folder is replaced.
 */
export async function installFolder(root, name, { fill, isComplete }) {
  // All users may read the folders. The mask is not reset, because folders are installed concurrently.
  process.umask(0o022);
  const temporary = join(root, `.new-${name}-${process.pid}-${Date.now()}`);
  try {
    mkdirSync(root, { recursive: true });
    removeStale(root);
    mkdirSync(temporary);
    await fill(temporary);
    const target = join(root, name);
    if (!tryRename(temporary, target) && !isComplete(target)) {
      tryRename(target, join(root, `.old-${process.pid}-${Date.now()}`));
      if (!tryRename(temporary, target) && !isComplete(target))
        throw new Error(`${target} is in the way and cannot be replaced: remove it.`);
    }
    return target;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renames a folder. Returns false if another folder is in the way, which is left alone. */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST' || error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Removes the temporary folders of setups that were killed. */
function removeStale(root) {
  for (const name of readdirSync(root)) {
    if (!name.startsWith('.new-') && !name.startsWith('.old-')) continue;
    const path = join(root, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
