import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { ApiError } from '#errors';
import { StorageStateError } from '#storage';
import {
  deleteAccountCommand,
  disableAccountCommand,
  enableAccountCommand,
  resetLinkCommand,
  setupLinkCommand,
  showAccountCommand,
  verifyAccountCommand,
} from './account-actions.ts';
import {
  createAccountCommand,
  listAccountsCommand,
  listPlansCommand,
  resetSecondFactorCommand,
  setPlanCommand,
} from './accounts-commands.ts';
import { copyDatabaseCommand, createBackupCommand, restoreBackupCommand } from './database-commands.ts';
import {
  UsageError,
  type CliContext,
  type Command,
  type CommandInput,
  type CommandOutput,
  type FileCommand,
  type FileContext,
} from './command.ts';
import { healthCommand } from './health-command.ts';
import {
  createInvitationCommand,
  listInvitationsCommand,
  revokeInvitationCommand,
} from './invitations-commands.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand, showRequestCommand } from './keys-commands.ts';
import { acceptListsCommand, explainListsCommand, showListsCommand } from './lists-commands.ts';

/** The output of the process and its exit code: 0 success, 1 refused or failed, 2 malformed command line. */
export interface CliResult {
  stdout: string;
  stderr: string;
  exitCode: 0 | 1 | 2;
}

type AnyCommand = Command | FileCommand;

const COMMANDS: readonly AnyCommand[] = [
  createAccountCommand,
  listAccountsCommand,
  showAccountCommand,
  setPlanCommand,
  verifyAccountCommand,
  disableAccountCommand,
  enableAccountCommand,
  resetLinkCommand,
  resetSecondFactorCommand,
  setupLinkCommand,
  deleteAccountCommand,
  listPlansCommand,
  listInvitationsCommand,
  createInvitationCommand,
  revokeInvitationCommand,
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  showRequestCommand,
  healthCommand,
  showListsCommand,
  explainListsCommand,
  acceptListsCommand,
  copyDatabaseCommand,
  createBackupCommand,
  restoreBackupCommand,
];

/** The commands that may be the first on a new database. */
const CREATING = new Set([createAccountCommand.name, createKeyCommand.name]);

const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

/** The contexts of commands. One of them is requested, after the command line was parsed. */
export interface CliSources {
  /** `mayCreate` is false if the command has no use for a new database. */
  openContext: (mayCreate: boolean) => Promise<CliContext>;
  getFileContext: () => FileContext;
}

/**
 * Runs a command line. Calls `openContext` only if the command needs the open database. Never rejects. The
 * help names `program` as the command.
 */
export async function runCli(
  args: readonly string[],
  openContext: CliSources['openContext'],
  getFileContext: CliSources['getFileContext'],
  program = 'npm run --silent admin --',
): Promise<CliResult> {
  try {
    const command = findCommand(args);
    if (!command) return showHelp(args, program);
    const input = parseInput(command, args.slice(command.name.split(' ').length));
    if (input.values['help']) return { stdout: describeCommand(command, program), stderr: '', exitCode: 0 };
    checkPositionals(command, input.positionals);
    const {
      text,
      json,
      warning,
      exitCode = 0,
    } = await runCommand(command, input, { openContext, getFileContext });
    const stdout = input.values['json'] ? JSON.stringify(json, null, 2) : text;
    const stderr = warning === undefined ? '' : `Warning: ${warning}\n`;
    return { stdout: stdout === '' ? '' : `${stdout}\n`, stderr, exitCode };
  } catch (error) {
    return describeFailure(error);
  }
}

async function runCommand(
  command: AnyCommand,
  input: CommandInput,
  { openContext, getFileContext }: CliSources,
): Promise<CommandOutput> {
  if ('runOnFiles' in command) return command.runOnFiles(getFileContext(), input);
  return command.run(await openContext(CREATING.has(command.name)), input);
}

/** Finds the command whose name is the first two words, else the first one. */
function findCommand(args: readonly string[]): AnyCommand | undefined {
  const names = [args.slice(0, 2).join(' '), args[0]];
  return names
    .map((name) => COMMANDS.find((command) => command.name === name))
    .find((command) => command !== undefined);
}

function parseInput(command: AnyCommand, args: readonly string[]): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...COMMON_OPTIONS, ...command.options },
      allowPositionals: true,
      strict: true,
    });
    return { values, positionals };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence.replace(/\.$/, '')}. Usage: ${command.usage}`);
  }
}

function checkPositionals(command: AnyCommand, given: readonly string[]): void {
  const missing = command.positionals[given.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing. Usage: ${command.usage}`);
  const surplus = given[command.positionals.length];
  if (surplus !== undefined)
    throw new UsageError(`«${surplus}» is one argument too many. Usage: ${command.usage}`);
}

/**
 * Returns the help for all commands, or for the commands of one noun. Throws UsageError for any other command
 * line.
 */
function showHelp(args: readonly string[], program: string): CliResult {
  const [noun, verb] = args;
  const isHelp = noun === undefined || ['help', '--help', '-h'].includes(noun);
  const shown = COMMANDS.filter((command) => isHelp || command.name.startsWith(`${noun} `));
  if (isHelp || (shown.length > 0 && (verb === undefined || ['help', '--help', '-h'].includes(verb))))
    return { stdout: describeCommands(shown, program), stderr: '', exitCode: noun === undefined ? 2 : 0 };
  throw new UsageError(
    `There is no command «${args.slice(0, 2).join(' ')}». The commands are: ${COMMANDS.map(({ name }) => name).join(', ')}.`,
  );
}

function describeCommands(commands: readonly AnyCommand[], program: string): string {
  const lines = commands.map(({ usage, help }) => `  ${usage}\n      ${help}`);
  return `Usage: ${program} <command>\n\n${lines.join('\n')}\n\nEvery command takes --json (output as JSON) and --help.\n`;
}

function describeCommand({ usage, help }: AnyCommand, program: string): string {
  return `Usage: ${program} ${usage} [--json]\n\n${help}\n`;
}

function describeFailure(error: unknown): CliResult {
  if (error instanceof UsageError) return { stdout: '', stderr: `${error.message}\n`, exitCode: 2 };
  const isExpected = error instanceof ApiError || error instanceof StorageStateError;
  const message = isExpected
    ? error.message
    : `The command failed: ${error instanceof Error ? error.message : String(error)}`;
  return { stdout: '', stderr: `${message}\n`, exitCode: 1 };
}
