/** Folders with a database, and the command line of the operator on them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';

const CLI = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);

export const NOW = Date.UTC(2026, 5, 1);

/** A temporary folder with the folder of a database and one for backups. */
export interface Folders extends Disposable {
  root: string;
  dataDir: string;
  /** The database in `dataDir`. */
  database: string;
  backups: string;
  /** A file in `backups`. */
  file: string;
}

export function openFolders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'backup-'));
  const backups = mkdtempSync(join(root, 'backups-'));
  const dataDir = join(root, 'data');
  return {
    root,
    dataDir,
    database: join(dataDir, 'utility-api.db'),
    backups,
    file: join(backups, 'backup.db'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Creates the database, with an account that has a key. Returns the secret. */
export async function addAccount(dataDir: string, email: string): Promise<string> {
  const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
  try {
    const { id } = await createAccount(storage.accounts, plans, { email }, NOW);
    return (await createKey(storage.keys, { accountId: id, name: 'test' }, NOW)).secret;
  } finally {
    await storage.close();
  }
}

/** Runs statements on a database file. */
export function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Returns the addresses of all accounts in a database file, and `pragma integrity_check`. */
export function readAccounts(path: string): { emails: string[]; check: unknown } {
  const db = new DatabaseSync(path);
  try {
    const emails = db.prepare('select email from accounts order by email').all();
    const check = db.prepare('pragma integrity_check').get()?.['integrity_check'];
    return { emails: emails.map(({ email }) => String(email)), check };
  } finally {
    db.close();
  }
}

/** Returns the permissions of each file and folder below `folder`, which may change meanwhile. */
export function listModes(folder: string): Record<string, string> {
  const modes: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found) modes[name] = `${found.isDirectory() ? 'd' : 'f'}${(found.mode & 0o777).toString(8)}`;
  }
  return modes;
}

export interface AdminResult {
  stdout: string;
  stderr: string;
  code: number | null;
}

/** Starts the command line, with a umask that hides nothing. `onStart` receives the process. */
export async function runAdmin(
  dataDir: string,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => {},
): Promise<AdminResult> {
  const script = 'umask 0; exec "$0" "$@"';
  const child = spawn('sh', ['-c', script, process.execPath, CLI, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const closed = once(child, 'close');
  onStart(child);
  await closed;
  return { ...output, code: child.exitCode };
}
