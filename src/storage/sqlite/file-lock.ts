import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ensurePrivateFile } from './private-file.ts';

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
