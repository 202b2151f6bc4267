import { type FileHandle, access, constants, open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageStateError } from '../storage.ts';

/**
 * Creates an empty file that only the owner of its folder can read. An existing file is not opened: closing
 * it would release the locks that this process holds on it. Throws if this user may not write to the file.
 */
export async function ensurePrivateFile(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await matchOwner(handle, dirname(path));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await access(path, constants.R_OK | constants.W_OK);
  }
}

/**
 * Gives the open file the owner of the file or folder `model`: what a command of root creates must not keep
 * the user of the service from opening it.
 */
export async function matchOwner(handle: FileHandle, model: string): Promise<void> {
  const { uid, gid } = await stat(model);
  // Other users than root may not; what they create is theirs.
  if ((await handle.stat()).uid !== uid) await handle.chown(uid, gid).catch(() => {});
}

/** A lock that is held until it is released, or until the process ends in any way. */
export interface FileLock {
  /** May be called again. */
  release(): void;
}

const PAUSE_MS = 20;
const BUSY = 5;

/**
 * Acquires a lock on the empty file `path`, which is created. Returns null if others hold it for `waitMs`.
 * The locks are those that SQLite takes on a database: any number are shared, or one is exclusive. The
 * operating system releases them when a process ends, so a killed process leaves none behind.
 */
export async function acquireFileLock(
  path: string,
  mode: 'shared' | 'exclusive',
  waitMs: number,
): Promise<FileLock | null> {
  await ensurePrivateFile(path);
  const db = openLockFile(path);
  const deadline = performance.now() + waitMs;
  try {
    while (!tryToLock(db, mode)) {
      if (performance.now() >= deadline) {
        db.close();
        return null;
      }
      await delay(PAUSE_MS);
    }
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
  return { release: () => db.isOpen && db.close() };
}

function openLockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new Error(`its lock ${basename(path)} cannot be opened: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function tryToLock(db: DatabaseSync, mode: 'shared' | 'exclusive'): boolean {
  try {
    // Without a journal the exclusive lock leaves no file beside its own.
    db.exec('pragma journal_mode = memory');
    db.exec(mode === 'exclusive' ? 'begin exclusive' : 'begin; select count(*) from sqlite_schema');
    return true;
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== BUSY) throw error;
    if (db.isTransaction) db.exec('rollback');
    return false;
  }
}

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
