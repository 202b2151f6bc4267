/** The files of the checkout, by paths relative to its root. */
import { globSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** Loads a file as text. */
export function loadText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** Returns the paths of the files that match a glob, sorted. */
export function findFiles(glob: string): string[] {
  return globSync(glob, { cwd: ROOT.pathname }).toSorted();
}
