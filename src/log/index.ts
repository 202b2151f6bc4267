/**
 * The log: lines of JSON on standard output. If they cannot be written (full disk, stalled reader, closed
 * pipe), they are dropped and counted. Logging does not block the event loop and does not throw.
 */
export { countDroppedLines, createLogger, flushLog } from './create-logger.ts';
export { createRequestLog } from './request-log.ts';
export type { RequestLevel, RequestLog } from './request-log.ts';
