import { realpathSync } from 'node:fs';

/** Returns the path of the file that a link names; the path itself if there is none. */
export function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
