import { join } from 'node:path';
import { StorageStateError } from '../storage-state-error.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';

/** A restore takes the database away for the time that the copy of a file takes. */
const WAIT_MS = 5_000;

/**
 * Returns the path of the lock of an embedded database: processes that use the database share it, a restore
 * holds it alone. It is not the database itself, because a restore replaces that file.
 */
export function getLockPath(dataDir: string): string {
  return join(dataDir, 'utility-api.lock');
}

/** Acquires the lock of a process that uses the database. Waits 5 s for the end of a restore. */
export async function shareDatabase(dataDir: string): Promise<FileLock> {
  const lock = await acquireFileLock(getLockPath(dataDir), 'shared', WAIT_MS);
  if (lock !== null) return lock;
  throw new StorageStateError(
    `A restore is replacing the database in ${dataDir}: wait for its end, then start again`,
  );
}
