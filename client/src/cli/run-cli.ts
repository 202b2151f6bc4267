/** Chooses the command, runs it, and reports its error. */
import { UtilityApiError, VERSION } from '../index.ts';
import type { Command } from './command.ts';
import { createCompletionCommand } from './commands/completion.ts';
import { emailCommand } from './commands/email.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { metaCommand } from './commands/meta.ts';
import { pdfCommand } from './commands/pdf.ts';
import { statusCommand } from './commands/status.ts';
import { CliError, EXIT, type ExitCode, findExitCode } from './exit-codes.ts';
import { formatCommandHelp, formatHelp } from './help.ts';
import { findNearest, parseFlags } from './parse-flags.ts';
import { toPlainText } from './plain-text.ts';
import type { Session } from './session.ts';

const WORK: readonly Command[] = [
  emailCommand,
  metaCommand,
  pdfCommand,
  loginCommand,
  logoutCommand,
  statusCommand,
];
export const COMMANDS: readonly Command[] = [...WORK, createCompletionCommand(WORK)];

const LOGIN_HINT = '\nutility-api login stores another key.';

/** Runs the program with the words after its name. Returns its exit code; reports errors itself. */
export async function runCli(words: readonly string[], session: Session): Promise<ExitCode> {
  try {
    return await run(words, session);
  } catch (error) {
    const exitCode = findExitCode(error);
    // The reader of the output has left: there is no one to report to.
    if (exitCode === EXIT.closed) return exitCode;
    const hint = exitCode === EXIT.auth && words[0] !== 'login' ? LOGIN_HINT : '';
    session.note(`${session.errorStyle('red', 'Error:')} ${describeError(error, exitCode, hint)}`);
    return exitCode ?? EXIT.service;
  }
}

async function run(words: readonly string[], session: Session): Promise<ExitCode> {
  const [name = 'help', ...rest] = words;
  if (name === '--version' || name === '-v') return print(session, `utility-api ${VERSION}\n`);
  if (/^(help|--help|-h)$/.test(name) && rest[0] === undefined)
    return print(session, formatHelp(COMMANDS, session.style));
  const isHelp = /^(help|--help|-h)$/.test(name);
  const command = findCommand(isHelp ? (rest[0] ?? '') : name);
  if (isHelp) return print(session, formatCommandHelp(command, session.style));
  const parsed = parseFlags(command, rest);
  if (parsed.flags['help'] === true) return print(session, formatCommandHelp(command, session.style));
  return command.run({ ...parsed, session });
}

async function print(session: Session, text: string): Promise<ExitCode> {
  await session.write(text);
  return EXIT.ok;
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return command;
  const nearest = findNearest(
    name,
    COMMANDS.map((each) => each.name),
  );
  throw new CliError(
    EXIT.usage,
    `There is no command ${toPlainText(name)}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}\nutility-api --help lists the commands.`,
  );
}

/** Formats an error for people. That of the service has the id of its request, for questions. */
function describeError(error: unknown, exitCode: ExitCode | null, hint: string): string {
  if (!(error instanceof Error)) return toPlainText(String(error));
  const isFault = exitCode === null;
  const text = isFault ? (error.stack ?? error.message) : describeSource(error);
  const lines = text.split('\n').map(toPlainText).join('\n');
  if (isFault) return `${lines}\nThis is a fault of utility-api: report it.`;
  if (!(error instanceof UtilityApiError)) return lines;
  const id = error.requestId === undefined ? '' : `\nRequest: ${toPlainText(error.requestId)}`;
  return lines + hint + id;
}

/** Formats a message with the words of the command line: a file first, and no names of the client. */
function describeSource({ message }: Error): string {
  const [, code, reason, path] = /^(E[A-Z0-9]+): ([^,]+), \w+ '(.*?)'(?: ->|$)/s.exec(message) ?? [];
  if (code !== undefined) return `${path?.replace(/\.[\da-f-]+\.part$/, '')}: ${reason} (${code}).`;
  return message
    .replace(/^baseUrl/, 'The address of the service')
    .replace('check baseUrl', 'check its address');
}
