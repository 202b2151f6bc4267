/** The process of `npm run admin` and of `bin/admin`: settings → storage → one command → exit code. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createMailSender } from '#accounts/sign-in';
import { getAdminCommand, loadConfig } from '#config';
import {
  copyDatabase,
  getSqlitePath,
  loadOperatorSecret,
  openStorage,
  StorageStateError,
  type PostgresOptions,
  type Storage,
} from '#storage';
import type { CliContext, FileContext } from './command.ts';
import { formatLocalUrl, readReadiness } from './read-readiness.ts';
import { runCli } from './run-cli.ts';

let storage: Storage | null = null;
async function openContext(mayCreate: boolean): Promise<CliContext> {
  const config = loadConfig();
  const { dataDir, plans, databaseUrl, databaseStatementTimeoutMs } = config;
  const postgres: PostgresOptions | null =
    databaseUrl === null
      ? null
      : { url: databaseUrl, poolSize: 2, statementTimeoutMs: databaseStatementTimeoutMs, now: Date.now };
  if (!mayCreate && postgres === null) checkHasDatabase(dataDir);
  const opened = await openStorage({ dataDir, postgres, watchIntervalMs: 0 });
  storage = opened;
  const copy = postgres && ((replace: boolean) => copyDatabase({ dataDir, postgres, replace }));
  return {
    ...opened,
    plans,
    dataDir,
    origin: config.publicUrl ?? formatLocalUrl(config),
    readReadiness: async () => readReadiness(formatLocalUrl(config), await loadOperatorSecret(opened)),
    copyDatabase: copy,
    sendMail: await openMail(config),
    now: Date.now,
  };
}

/** Throws if a folder has no database, or if this user may not see whether it has one. */
function checkHasDatabase(dataDir: string): void {
  try {
    if (statSync(getSqlitePath(dataDir), { throwIfNoEntry: false })) return;
  } catch (error) {
    throw new StorageStateError(
      `The database cannot be read: ${(error as Error).message}. Run the command as the user of the service, or as root.`,
    );
  }
  throw new StorageStateError(
    `There is no database in ${resolve(dataDir)}: set DATA_DIR to the folder of the service, or start the service there once.`,
  );
}

/** Returns the function that sends mails; null without a mail server. */
async function openMail({
  smtpUrl,
  mailFrom: from,
}: ReturnType<typeof loadConfig>): Promise<NonNullable<CliContext['sendMail']> | null> {
  if (smtpUrl === null) return null;
  const warn = (message: string): void => void process.stderr.write(`Warning: ${message}\n`);
  return createMailSender({ smtpUrl, from, log: { warn, error: (_details, message) => warn(message) } });
}

function getFileContext(): FileContext {
  const { dataDir, databaseUrl } = loadConfig();
  return { dataDir, databaseUrl, now: Date.now };
}

const { stdout, stderr, exitCode } = await runCli(
  process.argv.slice(2),
  openContext,
  getFileContext,
  getAdminCommand(),
);
await (storage as Storage | null)?.close();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
