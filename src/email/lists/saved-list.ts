import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The last accepted list on disk. */
export interface SavedList {
  url: string;
  etag: string | null;
  /** When the list was last known to be current, in milliseconds since the epoch. */
  checkedAt: number;
  /** One domain per line. */
  text: string;
}

const FILE_NAME = 'disposable-domains.txt';

/**
 * Saves the list to a temporary file and renames it, so that a crash leaves either the old list or the new
 * one.
 */
export async function saveList(dataDir: string, { text, ...head }: SavedList): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, FILE_NAME);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`# ${JSON.stringify(head)}\n${text}`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Loads the saved list; null if there is none, or if its first line is not the header that `saveList` writes.
 */
export async function findSavedList(dataDir: string): Promise<SavedList | null> {
  let file: string;
  try {
    file = await readFile(join(dataDir, FILE_NAME), 'utf8');
  } catch {
    return null;
  }
  const end = file.indexOf('\n');
  try {
    const head = JSON.parse(file.slice(2, end)) as Partial<SavedList>;
    if (typeof head.url !== 'string') return null;
    const etag = typeof head.etag === 'string' ? head.etag : null;
    return { url: head.url, etag, checkedAt: Number(head.checkedAt) || 0, text: file.slice(end + 1) };
  } catch {
    return null;
  }
}
