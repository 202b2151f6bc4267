import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the path of the file that a link names; the path itself if there is none. */
export function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** True if two paths lead to one file, links included. */
export function isSameFile(one: string, other: string): boolean {
  return resolve(resolveLink(one)) === resolve(resolveLink(other));
}
