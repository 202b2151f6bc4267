import type { BigIntStats } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a temporary file and renames it, so that a crash leaves either the old file or the new one. Creates
 * the folder. Returns the new file's identity.
 */
export async function replaceFile(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    let identity: string;
    try {
      await file.writeFile(text);
      await file.sync();
      identity = await getIdentity(file);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return identity;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns the identity of a file: it changes when the file is replaced or written. Null if there is no file.
 */
export async function findIdentity(path: string): Promise<string | null> {
  try {
    return formatIdentity(await stat(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the identity of an open file. It stays the same when the file is renamed. */
export async function getIdentity(file: FileHandle): Promise<string> {
  return formatIdentity(await file.stat({ bigint: true }));
}

function formatIdentity({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}
