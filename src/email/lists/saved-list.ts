import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The last good list on disk: where it came from, and when it was known to be current (milliseconds since the epoch). */
export interface SavedList {
  url: string;
  etag: string | null;
  checkedAt: number;
  /** One domain a line. */
  text: string;
}

const FILE_NAME = 'disposable-domains.txt';

/** Writes the list beside the old one and renames it over it, so that a crash leaves one or the other. */
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

/** Reads the saved list; null where there is none, or its first line is not ours. */
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
