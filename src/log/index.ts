/**
 * The log: lines of JSON on standard output. A full disk, a stalled reader or a closed pipe costs lines,
 * which are counted; it never blocks the event loop and never throws.
 */
export { createLogger, flushLog } from './create-logger.ts';
