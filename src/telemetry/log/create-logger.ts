import { write, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { LogDestination } from './log-destination.ts';

/** An error as it is logged. */
interface LoggedError {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  /** The errors that an AggregateError combines. */
  errors?: LoggedError[];
}

const MAX_CAUSES = 4;
const MAX_COMBINED = 5;
const MAX_LENGTH = 4_000;
/** Parts of a message that may repeat what a caller sent. */
const URL_TEXT = /\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>]+/gi;
/** A word. Code decides whether it is an email address: an expression would take quadratic time. */
const WORD = /[^\s"'<>()=,:;]+/g;
/** JSON.parse repeats a part of its input in its messages. */
const JSON_SNIPPET = /(Unexpected [^,]{1,40}, )[\s\S]*( is not valid JSON)/;

/**
 * Returns an error and its causes as they are logged. All other members are dropped, because libraries attach
 * whole requests, rows and addresses to their errors. URLs, email addresses and pieces of JSON are removed
 * from messages.
 */
export function formatError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(describe(error)) };
  const { code, cause, stack } = error as Error & { code?: unknown };
  const combined: unknown = (error as { errors?: unknown }).errors;
  const isDeep = depth >= MAX_CAUSES;
  return {
    type: error.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    message: redact(error.message),
    ...(typeof stack === 'string' && { stack: redact(stack) }),
    ...(cause !== undefined && !isDeep && { cause: formatError(cause, depth + 1) }),
    ...(Array.isArray(combined) &&
      !isDeep && {
        errors: combined.slice(0, MAX_COMBINED).map((each: unknown) => formatError(each, depth + 1)),
      }),
  };
}

function describe(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : `a value that is no error was thrown: ${typeof thrown}`;
}

function redact(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(JSON_SNIPPET, '$1[removed]$2')
    .replace(URL_TEXT, (url) => (url.startsWith('file://') ? url : '[url]'))
    .replace(WORD, (word) => (word.includes('@') && !word.includes('/') ? '[email]' : word));
}

/** The time that a drained process waits for its last lines. */
const FLUSH_MS = 200;

/** A process has one standard output, so its queue is the module's. */
let destination: LogDestination | undefined;

/**
 * Creates a logger that writes lines of `level` and above to standard output. Keys and cookies in request
 * headers are redacted, and so is what callers sent in messages of errors.
 */
export function createLogger(level: string): Logger {
  destination ??= openStandardOutput();
  const logger = pino(
    {
      level,
      redact: ['req.headers["x-api-key"]', 'req.headers.cookie'],
      serializers: { err: (error: unknown) => formatError(error) },
    },
    destination,
  );
  destination.onRecover = (dropped) => {
    // If `warn` is not logged, the count is logged at the level that is.
    const countLevel = logger.isLevelEnabled('warn') ? 'warn' : (logger.level as 'error' | 'fatal');
    logger[countLevel]({ dropped }, 'log lines were dropped: standard output did not accept them');
  };
  return logger;
}

/** Returns the number of lines that standard output did not accept, since the start of the process. */
export function countDroppedLines(): number {
  return destination?.dropped ?? 0;
}

/** Resolves when the queued lines are written, or after FLUSH_MS. */
export async function flushLog(): Promise<void> {
  await destination?.flush(FLUSH_MS);
}

function openStandardOutput(): LogDestination {
  // Accessing `process.stdout` makes a pipe or a socket non-blocking. Otherwise a write that a stalled reader
  // blocks would hold a thread, and the process would wait for it when it exits.
  const { fd } = process.stdout;
  const opened = new LogDestination({
    write: (bytes, done) => write(fd, bytes, done),
    writeSync: (bytes) => writeSync(fd, bytes),
  });
  process.once('exit', () => opened.flushAtExit(FLUSH_MS));
  return opened;
}
