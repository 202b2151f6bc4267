/** The exit codes of the program, which scripts rely on: docs/reference/cli.md has the table. */
import { ConnectionError, UtilityApiError } from '../index.ts';

export const EXIT = {
  ok: 0,
  /** Only with --exit-code. */
  negative: 1,
  usage: 2,
  auth: 3,
  limit: 4,
  service: 5,
  target: 6,
  file: 7,
  interrupted: 130,
  terminated: 143,
  /**
   * The reader of standard output has closed it, as with `| head`: the code of a program that SIGPIPE ends.
   */
  closed: 141,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of each code that is not a signal's, for the help. */
export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.negative, 'a negative result, only with --exit-code'],
  [EXIT.usage, 'wrong flags, arguments or input'],
  [EXIT.auth, 'the key is missing or not valid'],
  [EXIT.limit, 'over the rate limit or a share of the account'],
  [EXIT.service, 'the service could not be reached, or failed'],
  [EXIT.target, 'the page could not be read, or the document not rendered'],
  [EXIT.file, 'a file could not be read or written'],
  [EXIT.interrupted, 'interrupted by Ctrl-C'],
];

/** An error that ends the program with a message. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The reason of the abort when a signal ends the program. */
export class Interrupted extends CliError {
  constructor(exitCode: ExitCode) {
    super(exitCode, 'Interrupted.');
  }
}

const TARGET_ERRORS: ReadonlySet<string> = new Set(['timeout', 'unreachable', 'render_failed']);

/** Returns the exit code of an error, or null for an error of the program itself. */
export function findExitCode(error: unknown): ExitCode | null {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof ConnectionError) return EXIT.service;
  if (error instanceof UtilityApiError) return classifyResponse(error);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === 'EPIPE') return EXIT.closed;
  return typeof syscall === 'string' ? EXIT.file : null;
}

function classifyResponse({ code, status = 0 }: UtilityApiError): ExitCode {
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 429) return EXIT.limit;
  if (TARGET_ERRORS.has(code)) return EXIT.target;
  if (code === 'unexpected_response' || code === 'not_found') return EXIT.service;
  return status >= 400 && status < 500 ? EXIT.usage : EXIT.service;
}
