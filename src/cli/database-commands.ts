import { ApiError } from '#errors';
import { createBackup, formatClientUrl, restoreBackup } from '#storage';
import type { Command, FileCommand } from './command.ts';
import { formatTable } from './format-table.ts';

export const copyDatabaseCommand: Command = {
  name: 'database copy',
  positionals: [],
  options: { replace: { type: 'boolean' } },
  usage: 'database copy [--replace]',
  help: 'Copies the embedded database of DATA_DIR into the PostgreSQL database of DATABASE_URL and compares all rows. Stop the service before. --replace deletes what the target contains.',
  async run({ copyDatabase }, { values }) {
    if (copyDatabase === null)
      throw new ApiError(
        'invalid_parameter',
        'DATABASE_URL is not set: set it to the PostgreSQL database to copy into, and DATA_DIR to the folder to copy.',
      );
    const { source, target, isChanged, tables } = await copyDatabase(values['replace'] === true);
    const rows = tables.map(({ table, rows: count, digest }) => [table, String(count), digest.slice(0, 16)]);
    const outcome = isChanged ? 'Copied' : 'Already copied: nothing was changed.';
    return {
      text: `${outcome} ${source} → ${target}. Both have these rows:\n\n${formatTable(['TABLE', 'ROWS', 'DIGEST'], rows)}`,
      json: { source, target, changed: isChanged, tables },
    };
  },
};

export const createBackupCommand: FileCommand = {
  name: 'backup',
  positionals: ['file'],
  options: { force: { type: 'boolean' } },
  usage: 'backup <file> [--force]',
  help: 'Writes the embedded database of DATA_DIR, with accounts, keys, usage and generated secrets, to a file, while the service runs. Only this user can read the file. It is checked; its rows and its SHA-256 are printed. --force replaces an existing file.',
  async runOnFiles({ dataDir, databaseUrl }, { positionals: [file = ''], values }) {
    if (databaseUrl !== null)
      throw new ApiError(
        'invalid_parameter',
        `DATABASE_URL is set: back up PostgreSQL with pg_dump --format=custom --no-owner --file=${quote(file)} ${quote(formatClientUrl(databaseUrl))} (the password is asked for, or in ~/.pgpass).`,
      );
    const backup = await createBackup({ dataDir, file, force: values['force'] === true });
    const { source, bytes, sha256, schema, tables } = backup;
    return {
      text: `Backed up ${source} to ${backup.file} (${bytes} bytes).\nSchema: ${schema}\nSHA-256: ${sha256}\n\n${formatRows(tables)}`,
      json: { source, file: backup.file, bytes, sha256, schema, tables },
    };
  },
};

export const restoreBackupCommand: FileCommand = {
  name: 'restore',
  positionals: ['file'],
  options: { replace: { type: 'boolean' }, sha256: { type: 'string' } },
  usage: 'restore <file> [--replace] [--sha256 <digest>]',
  help: 'Replaces the embedded database of DATA_DIR by a backup, after it has been checked. Stop the service before. --replace replaces a database that contains data, and keeps it beside the new one. --sha256 refuses a file with another digest than that which «backup» printed.',
  async runOnFiles({ dataDir, databaseUrl, now }, { positionals: [file = ''], values }) {
    if (databaseUrl !== null)
      throw new ApiError(
        'invalid_parameter',
        `DATABASE_URL is set: restore PostgreSQL with pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${quote(formatClientUrl(databaseUrl))} ${quote(file)}. A backup of an embedded database is restored without DATABASE_URL, then copied by «database copy».`,
      );
    const restoration = await restoreBackup({
      dataDir,
      file,
      replace: values['replace'] === true,
      sha256: values['sha256'] as string | undefined,
      nowMs: now(),
    });
    const { target, kept, sha256, schema, isCurrentSchema, tables } = restoration;
    const before = kept === null ? '' : `\nThe database before: ${kept}`;
    const next = isCurrentSchema ? '' : ' (the next start of the service migrates it)';
    return {
      text: `Restored ${restoration.file} to ${target}.${before}\nSchema: ${schema}${next}\nSHA-256: ${sha256}\n\n${formatRows(tables)}`,
      json: { file: restoration.file, target, kept, sha256, schema, tables },
    };
  },
};

function formatRows(tables: readonly { table: string; rows: number }[]): string {
  return formatTable(
    ['TABLE', 'ROWS'],
    tables.map(({ table, rows }) => [table, String(rows)]),
  );
}

/** Quotes an argument for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
