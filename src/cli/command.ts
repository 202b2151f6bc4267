import type { ParseArgsOptionsConfig } from 'node:util';
import type { AccountStore, KeyStore, Plans } from '#accounts';
import type { AccessStore, AuditEventName, Mail } from '#accounts/sign-in';
import type { DatabaseCopy } from '#storage';

/** The stores and settings that commands use. */
export interface CliContext {
  accounts: AccountStore;
  keys: KeyStore;
  /** The audit trail, which the owners of accounts read, and their second factors. */
  access: Pick<AccessStore, 'insertAuditEvent' | 'deleteSecondFactor'>;
  /** Sends a mail, and reports a failure on standard error; null without a mail server. */
  sendMail?: ((mail: Mail) => Promise<void>) | null;
  plans: Plans;
  /** The folder of the service, where it keeps the lists of domains. */
  dataDir: string;
  /** Copies the embedded database into PostgreSQL; null if the embedded one is in use. */
  copyDatabase: ((replace: boolean) => Promise<DatabaseCopy>) | null;
  now: () => number;
}

/**
 * The output of a command: `text` for people and pipes, `json` for programs. `warning` is printed to standard
 * error in both cases.
 */
export interface CommandOutput {
  text: string;
  json: unknown;
  warning?: string | undefined;
}

/** The settings of commands that do not open the database: opening it would migrate it. */
export interface FileContext {
  dataDir: string;
  /** The URL of PostgreSQL; null if the embedded database is in use. */
  databaseUrl: string | null;
  now: () => number;
}

/** A command: its name and arguments, as the help shows them. */
interface CommandLine {
  name: string;
  positionals: readonly string[];
  options: ParseArgsOptionsConfig;
  usage: string;
  help: string;
}

/** A command that uses the open database. */
export interface Command extends CommandLine {
  run(context: CliContext, input: CommandInput): Promise<CommandOutput>;
}

/** A command that uses the file of the database. */
export interface FileCommand extends CommandLine {
  runOnFiles(context: FileContext, input: CommandInput): Promise<CommandOutput>;
}

export interface CommandInput {
  positionals: readonly string[];
  values: Readonly<Record<string, string | boolean | undefined>>;
}

/** A malformed command line. The message says what to type instead. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Adds an action of the operator to the account's audit trail. */
export async function recordOperatorAction(
  { access, now }: CliContext,
  accountId: string,
  event: AuditEventName,
  detail = '',
): Promise<void> {
  await access.insertAuditEvent({
    accountId,
    event,
    detail: detail === '' ? 'by the operator' : `${detail}, by the operator`,
    requestId: null,
    ip: null,
    atMs: now(),
  });
}
