import type { ParseArgsOptionsConfig } from 'node:util';
import type { AccountStore, KeyStore, Plans } from '#accounts';
import type { AccessStore, AuditEventName } from '#accounts/sign-in';

/** What the commands act on. */
export interface CliContext {
  accounts: AccountStore;
  keys: KeyStore;
  /** Where the owners of accounts read what was done to them. */
  access: Pick<AccessStore, 'insertAuditEvent'>;
  plans: Plans;
  now: () => number;
}

/**
 * What a command answers: `text` for people and pipes, `json` for programs. `warning` goes to the standard
 * error in both cases.
 */
export interface CommandAnswer {
  text: string;
  json: unknown;
  warning?: string | undefined;
}

/** One command: its name and arguments as the help shows them, and what it does. */
export interface Command {
  name: string;
  positionals: readonly string[];
  options: ParseArgsOptionsConfig;
  usage: string;
  help: string;
  run(context: CliContext, input: CommandInput): Promise<CommandAnswer>;
}

export interface CommandInput {
  positionals: readonly string[];
  values: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command line that cannot be understood; the message says what to type instead. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Tells the account's owner what the operator did. */
export async function recordOperatorAct(
  { access, now }: CliContext,
  accountId: string,
  event: AuditEventName,
  what = '',
): Promise<void> {
  const detail = what === '' ? 'by the operator' : `${what}, by the operator`;
  await access.insertAuditEvent({ accountId, event, detail, requestId: null, atMs: now() });
}
