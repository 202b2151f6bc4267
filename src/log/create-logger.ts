import { write, writeSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { LogDestination } from './log-destination.ts';

/** How long a drained process waits for its last lines to be written. */
const FLUSH_MS = 200;

/** A process has one standard output, hence one queue for it. */
let destination: LogDestination | undefined;

/**
 * Creates a logger that writes lines of `level` and above to standard output. Secrets in headers are
 * redacted.
 */
export function createLogger(level: string): Logger {
  destination ??= openStandardOutput();
  const logger = pino({ level, redact: ['req.headers["x-api-key"]', 'req.headers.cookie'] }, destination);
  destination.onRecover = (dropped) => {
    // At a level above `warn`, the count still belongs to the log that lost the lines.
    const countLevel = logger.isLevelEnabled('warn') ? 'warn' : (logger.level as 'error' | 'fatal');
    logger[countLevel]({ dropped }, 'the log could not be written for a time: lines were dropped');
  };
  return logger;
}

/** Resolves when the queued lines are written, or after a moment if they cannot be. */
export async function flushLog(): Promise<void> {
  await destination?.flush(FLUSH_MS);
}

function openStandardOutput(): LogDestination {
  // Opening `process.stdout` makes a pipe or a socket non-blocking: a write that a stalled reader blocks
  // would hold a thread that the process waits for when it exits.
  const { fd } = process.stdout;
  const opened = new LogDestination({
    write: (bytes, done) => write(fd, bytes, done),
    writeSync: (bytes) => writeSync(fd, bytes),
  });
  process.once('exit', () => opened.flushAtExit(FLUSH_MS));
  return opened;
}
