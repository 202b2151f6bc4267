/**
 * The built tree (`build/`, by `npm run build`) and the sources that it was built from. Plain JavaScript for
 * Node 20, without dependencies.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the tree in the checkout. */
export const TREE = 'build';
/** A file in the tree with the key of its sources. */
export const KEY_FILE = '.build-key';

/** All that the content of the tree depends on: files, and folders with everything in them. */
export const TREE_SOURCES = [
  'LICENSE',
  'NOTICE',
  'README.md',
  'dashboard',
  'docs',
  'package-lock.json',
  'package.json',
  'scripts/build',
  'scripts/build.ts',
  'scripts/setup',
  'scripts/setup-browser.mjs',
  'scripts/tree',
  'src',
];

/** Checks whether a file is in the tree: tests and dot files are not. */
export function isTreeFile(name) {
  return !name.startsWith('.') && !/\.test\.(ts|tsx|mjs)$/.test(name) && name !== 'node_modules';
}

/** Computes a hash of the names and contents of the sources of the tree. */
export function computeTreeKey(root) {
  const hash = createHash('sha256');
  // The built dashboard is not a source: its key follows from the files beside it.
  for (const path of listFiles(root, TREE_SOURCES, new Set(['dashboard/dist'])))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Lists the files of the tree below the given paths, relative to `root`, in a fixed order. Links to folders
 * and to nothing are left out: they may form circles, or lead out of the checkout.
 */
export function listFiles(root, paths, excluded = new Set()) {
  return paths.flatMap((path) => {
    if (excluded.has(path)) return [];
    const { isDirectory, isFile } = inspect(join(root, path));
    if (!isDirectory) return isFile ? [path] : [];
    const names = readdirSync(join(root, path)).filter(isTreeFile).sort();
    return listFiles(
      root,
      names.map((name) => `${path}/${name}`),
      excluded,
    );
  });
}

function inspect(path) {
  return {
    isDirectory: lstatSync(path).isDirectory(),
    isFile: existsSync(path) && statSync(path).isFile(),
  };
}

/** Returns whether there is a built tree, and if so, whether it is that of the sources as they are now. */
export function inspectTree(root) {
  const keyFile = join(root, TREE, KEY_FILE);
  if (!existsSync(keyFile)) return 'none';
  return readFileSync(keyFile, 'utf8') === computeTreeKey(root) ? 'current' : 'stale';
}
