import { mkdir, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MIGRATION_NAMES } from '../sql/migrate.ts';
import { acquireFileLock, getLockPath } from '../sqlite/file-lock.ts';
import { getSqlitePath } from '../sqlite/open-sqlite.ts';
import { type DatabaseContents, inspectBackup } from './backup-file.ts';
import { closeCurrent, type CurrentDatabase, putInPlace } from './current-database.ts';
import { copyPrivately, describeFileError, refusal } from './file-steps.ts';

export interface RestoreOptions {
  dataDir: string;
  file: string;
  /** True to replace a database that contains data. It is kept beside the new one. */
  replace: boolean;
  /** The SHA-256 that the backup must have, in hexadecimal. */
  sha256?: string | undefined;
  nowMs: number;
}

/** A finished restore. */
export interface Restoration extends DatabaseContents {
  file: string;
  target: string;
  sha256: string;
  /** The name under which the database before the restore is kept; null if it was empty. */
  kept: string | null;
  /** False if the next start of the service migrates the database. */
  isCurrentSchema: boolean;
}

/** An action of the command line that uses the database ends within this time. */
const WAIT_MS = 1_000;

/**
 * Replaces the embedded database by a backup. If the process is killed, the database is the one before or the
 * one of the backup. Throws `invalid_parameter`, without a change, if a service is running on `dataDir`, if
 * `file` is not a whole backup of a known schema, or if the database contains data and `replace` is false.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restoration> {
  const { dataDir, file } = options;
  const source = resolve(file);
  if (file === '-') throw refusal('A backup is checked before it is used: name a file instead of «-».');
  if (!(await stat(source).catch(() => null)))
    throw refusal(`${source} cannot be restored: it does not exist.`);
  await makeFolder(dataDir);
  const lock = await acquireFileLock(getLockPath(dataDir), 'exclusive', WAIT_MS).catch((error: unknown) => {
    throw refuseTarget(dataDir, error);
  });
  if (lock === null) throw refuseRunning(dataDir);
  try {
    return await replaceDatabase({ ...options, file: source });
  } finally {
    lock.release();
  }
}

async function replaceDatabase(options: RestoreOptions): Promise<Restoration> {
  const { dataDir, file, replace, nowMs } = options;
  const target = getSqlitePath(dataDir);
  const draft = `${target}.restoring`;
  // The lock is held: the draft of a killed restore is not in use.
  await rm(draft, { force: true });
  try {
    const owner = (await stat(target).catch(() => null)) ? target : dataDir;
    const sha256 = await copyPrivately(file, draft, owner).catch((error: NodeJS.ErrnoException) => {
      const isSource = error.path === undefined ? !DISK_ERRORS.has(error.code ?? '') : error.path === file;
      throw isSource ? refuseFile(file, error) : refuseTarget(dataDir, error);
    });
    if (options.sha256 !== undefined && options.sha256.toLowerCase() !== sha256)
      throw refuseFile(file, new Error(`its SHA-256 is ${sha256}, not ${options.sha256}`));
    const contents = await inspectBackup(draft).catch((error: unknown) => {
      throw refuseFile(file, error);
    });
    const current = closeCurrent(target);
    if (current.state === 'open') throw refuseRunning(dataDir);
    const kept = nameKept(target, current, replace, nowMs);
    await putInPlace({ draft, target, kept });
    const isCurrentSchema = contents.schema === MIGRATION_NAMES.at(-1);
    return { file, target, sha256, kept, isCurrentSchema, ...contents };
  } finally {
    await rm(draft, { force: true });
  }
}

async function makeFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw refusal(`The folder ${resolve(dataDir)} cannot be created: ${describeFileError(error)}.`);
  });
}

/** Returns the name for the database before the restore, or null. Throws if it may not be replaced. */
function nameKept(target: string, current: CurrentDatabase, replace: boolean, nowMs: number): string | null {
  if (current.state !== 'used' && current.state !== 'damaged') return null;
  const found =
    current.state === 'damaged'
      ? `is damaged (${current.reason})`
      : `contains data (${current.tables.map(({ table, rows }) => `${table}: ${rows}`).join(', ')})`;
  if (!replace)
    throw refusal(
      `The database ${target} ${found}: set DATA_DIR to an empty folder, or replace the database by --replace, which keeps it beside the new one.`,
    );
  return `${target}.before-restore-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
}

function refuseRunning(dataDir: string): Error {
  return refusal(
    `A service or another command is using the database in ${resolve(dataDir)}: stop it, then restore.`,
  );
}

/** Errors of writes, which do not name the file. */
const DISK_ERRORS = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC', 'EROFS']);

function refuseTarget(dataDir: string, error: unknown): Error {
  return refusal(`The backup cannot be copied to ${resolve(dataDir)}: ${describeFileError(error)}.`);
}

function refuseFile(file: string, error: unknown): Error {
  return refusal(`${file} cannot be restored: ${describeFileError(error)}.`);
}
