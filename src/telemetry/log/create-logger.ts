import { write, writeSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { formatError } from './format-error.ts';
import { LogDestination } from './log-destination.ts';

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
