import { hash } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { acquireFileLock, shareDatabase } from '../sqlite/file-lock.ts';
import { getSqlitePath } from '../sqlite/open-sqlite.ts';
import { type DatabaseContents, inspectBackup } from './backup-file.ts';
import { describeFileError, refusal, renameToNew, syncAndDigest, syncFolder } from './file-steps.ts';

export interface BackupOptions {
  /** The folder of the embedded database. Services may be using it. */
  dataDir: string;
  file: string;
  /** True to replace the file if it exists. */
  force: boolean;
}

/** A finished backup, which was checked after it was written. */
export interface Backup extends DatabaseContents {
  source: string;
  file: string;
  bytes: number;
  sha256: string;
}

/** The time to wait for a lock of a process that writes or copies its log. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Writes the state of the embedded database at one moment to `file`, while services use it. The file appears
 * under its name when it is complete, durable and checked, with mode 0600. Throws `invalid_parameter` if it
 * exists and `force` is false, if it would be inside `dataDir`, if it cannot be written, or if there is no
 * database or it is damaged.
 */
export async function createBackup({ dataDir, file, force }: BackupOptions): Promise<Backup> {
  const source = getSqlitePath(dataDir);
  if (!(await stat(source).catch(() => null))?.isFile())
    throw refusal(
      `There is no database in ${resolve(dataDir)} to back up: set DATA_DIR as the service does.`,
    );
  const target = await checkTarget(file, dataDir, force);
  const lock = await shareDatabase(dataDir);
  try {
    return await withDraft(target, async (draft) => {
      copyDatabase(source, draft);
      const contents = await inspectBackup(draft).catch((error: Error) => {
        throw refusal(`The copy of ${source} cannot be used: ${error.message}. No backup was made.`);
      });
      const facts = await syncAndDigest(draft);
      await publish(draft, target, force);
      return { source, file: target, ...facts, ...contents };
    });
  } finally {
    lock.release();
  }
}

/** Returns the absolute path of the file. Throws if a backup may not be written there. */
async function checkTarget(file: string, dataDir: string, force: boolean): Promise<string> {
  if (file === '-')
    throw refusal('A backup is checked before it is used, so it needs a file: name one instead of «-».');
  const path = resolve(file);
  const folder = await realpath(dirname(path)).catch((error: unknown) => {
    throw refusal(
      `The backup cannot be written to the folder ${dirname(path)}: ${describeFileError(error)}.`,
    );
  });
  const target = join(folder, basename(path));
  const inside = relative(await realpath(dataDir), target);
  if (inside !== '..' && !inside.startsWith(`..${sep}`))
    throw refusal(
      `${path} is inside DATA_DIR: what destroys the database would destroy its backup. Name a file in another folder, best on another disk.`,
    );
  const found = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw refuseFile(target, error);
  });
  if (found === null) return target;
  if (found.isDirectory()) throw refusal(`${path} is a folder: name a file in it.`);
  if (!found.isFile()) throw refusal(`${path} is not a regular file: name another one.`);
  if (!force) throw refuseExisting(target);
  return target;
}

/**
 * Calls `act` with the path of an empty private file, in a private folder beside the target. The
 * folder has the same name at each backup to the target, so the remains of a killed one are deleted.
 */
async function withDraft(target: string, act: (draft: string) => Promise<Backup>): Promise<Backup> {
  const name = hash('sha256', basename(target)).slice(0, 16);
  const folder = join(dirname(target), `.backup-${name}`);
  try {
    await openDraftFolder(folder);
    const lock = await acquireFileLock(join(folder, 'lock'), 'exclusive', 0);
    if (lock === null) throw refusal(`Another backup to ${target} is running: wait for its end.`);
    const draft = join(folder, 'backup.db');
    try {
      await rm(draft, { force: true });
      await (await open(draft, 'wx', 0o600)).close();
      return await act(draft);
    } finally {
      for (const suffix of ['', '-journal']) await rm(draft + suffix, { force: true });
      lock.release();
      await rm(join(folder, 'lock'), { force: true });
      await rmdir(folder).catch(() => {});
    }
  } catch (error) {
    throw refuseFile(target, error);
  }
}

/** Creates the folder, or checks that it is one that this user has created: others must not see the draft. */
async function openDraftFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
      throw refusal(`${folder} does not belong to this user alone, and a backup needs it: delete it.`);
  }
}

/** Copies the state of one moment. Other processes read and write meanwhile. */
function copyDatabase(source: string, draft: string): void {
  const db = new DatabaseSync(source, { timeout: LOCK_TIMEOUT_MS });
  try {
    db.prepare('vacuum into ?').run(draft);
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    if (!DAMAGED.has(code)) throw error;
    throw refusal(
      `The database ${source} is damaged (${(error as Error).message}): no backup was made. Restore an earlier one.`,
    );
  } finally {
    db.close();
  }
}

/** The result codes of a damaged database, and of a file that is none. */
const DAMAGED = new Set([11, 26]);

async function publish(draft: string, target: string, force: boolean): Promise<void> {
  if (force) await rename(draft, target);
  else
    await renameToNew(draft, target).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? refuseExisting(target) : error;
    });
  await syncFolder(dirname(target));
}

function refuseExisting(target: string): Error {
  return refusal(`${target} exists: name another file, or replace it by --force.`);
}

/** Returns the error of a failed step; refusals already say what is wrong. */
function refuseFile(target: string, error: unknown): Error {
  if ((error as { code?: unknown }).code === 'invalid_parameter') return error as Error;
  return refusal(`The backup cannot be written to ${target}: ${describeFileError(error)}.`);
}
