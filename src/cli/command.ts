import type { ParseArgsOptionsConfig } from 'node:util';
import type { Plans } from '#accounts';
import type { AuditEventName, Mail } from '#accounts/sign-in';
import type { DatabaseCopy, Storage } from '#storage';
import type { Readiness } from './read-readiness.ts';

/** The stores and settings that commands use. */
export interface CliContext extends Pick<
  Storage,
  'accounts' | 'keys' | 'access' | 'usage' | 'description' | 'isHealthy' | 'loadSizeBytes'
> {
  /** Sends a mail, and reports a failure on standard error; null without a mail server. */
  sendMail?: ((mail: Mail) => Promise<unknown>) | null;
  plans: Plans;
  /** The address of the service in links, without a trailing slash. */
  origin: string;
  /** Returns the state that the running service reports; null if it does not respond. */
  readReadiness: () => Promise<Readiness | null>;
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
  /** 1 if the command found that something does not work. */
  exitCode?: 1 | undefined;
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

/** Returns the context as functions of `#accounts/sign-in` take it. */
export function toAccess({ access, accounts, now }: CliContext) {
  return { store: access, accounts, now };
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
