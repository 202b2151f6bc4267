import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countRows, type TableRows } from './backup-file.ts';
import { keepAs, syncFolder } from './file-steps.ts';

/** The database that a restore replaces. */
export type CurrentDatabase =
  | { state: 'absent' }
  | { state: 'unused' }
  | { state: 'open' }
  | { state: 'used'; tables: TableRows[] }
  | { state: 'damaged'; reason: string };

/** Rows of these tables exist after the first start. */
const FIRST_ROWS = new Set(['key_changes', 'links', 'secrets']);
const BUSY = 5;

/**
 * Copies the write-ahead log into the database and deletes the log, so that it cannot be applied to the
 * database that follows. Returns what the database contains; `open` if another process has it open.
 */
export function closeCurrent(path: string): CurrentDatabase {
  if (!existsSync(path)) return { state: 'absent' };
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    // Needs the database for itself, also from processes that do not know the lock.
    db.exec('pragma journal_mode = delete');
    const tables = countRows(db).filter(({ table, rows }) => rows > 0 && !FIRST_ROWS.has(table));
    return tables.length === 0 ? { state: 'unused' } : { state: 'used', tables };
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    return errcode % 256 === BUSY ? { state: 'open' } : { state: 'damaged', reason: message };
  } finally {
    db?.close();
  }
}

/** The files that SQLite would apply to a database of this name. A damaged database may still have them. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

export interface Replacement {
  draft: string;
  target: string;
  /** The name under which the replaced database is kept; null if it is not. */
  kept: string | null;
}

/** Puts the draft in the place of the database in one step, after the old one has its new name. */
export async function putInPlace({ draft, target, kept }: Replacement): Promise<void> {
  const companions = COMPANIONS.filter((suffix) => existsSync(target + suffix));
  if (kept !== null) {
    for (const suffix of companions) await keepAs(target + suffix, kept + suffix);
    await keepAs(target, kept);
    await syncFolder(dirname(target));
  }
  // All are kept under the other name, and would be applied to the new database.
  for (const suffix of companions) await rm(target + suffix);
  await syncFolder(dirname(target));
  await rename(draft, target);
  await syncFolder(dirname(target));
}
