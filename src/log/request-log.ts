import { hostname } from 'node:os';
import { findDestination } from './create-logger.ts';

/** One finished request: texts that need no escaping are noted as safe. */
export interface LoggedRequest {
  /** Safe. */
  requestId: string;
  /** Safe; null if unknown. */
  method: string | null;
  route: string;
  status: number;
  ms: number | null;
  /** Safe. */
  keyId?: string | undefined;
  /** Safe. */
  error?: string | undefined;
  param?: string | undefined;
  isDisconnected?: boolean | undefined;
  err?: unknown;
}

type Level = 'debug' | 'info' | 'warn' | 'error';
type LogLine = (facts: object, message: string) => void;
type Target = { [L in Level]: LogLine } & { level: string };

export interface RequestLog {
  isEnabled: (level: Level) => boolean;
  /** Writes one line: `request completed`, or `request failed` if the level is not `info` or `debug`. */
  write: (level: Level, request: LoggedRequest) => void;
}

/** The levels of pino, by their number in a line. */
const LEVELS: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50 };

/**
 * Creates the log of requests. Lines at `info` are put together here: pino would take eight times as long for
 * a line (1.0 µs), and there is one for every request.
 */
export function createRequestLog(logger: Target, now: () => number): RequestLog {
  const lowest = LEVELS[logger.level] ?? Infinity;
  const isEnabled = (level: Level): boolean => (LEVELS[level] ?? 0) >= lowest;
  const destination = findDestination(logger);
  const end = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},`;
  return {
    isEnabled,
    write(level, request) {
      if (!isEnabled(level)) return;
      if (destination !== undefined && level === 'info')
        destination.write(`{"level":30,"time":${now()}${end}${formatMembers(request)}\n`);
      else logger[level](toMembers(request), isFailure(level) ? 'request failed' : 'request completed');
    },
  };
}

function isFailure(level: Level): boolean {
  return level === 'warn' || level === 'error';
}

function toMembers({ ms, isDisconnected, ...rest }: LoggedRequest): object {
  return { ...rest, ms: roundMs(ms), disconnected: isDisconnected };
}

/** Formats the members of a line and its end. */
function formatMembers({
  requestId,
  method,
  route,
  status,
  ms,
  keyId,
  error,
  param,
  isDisconnected,
}: LoggedRequest): string {
  return (
    `"requestId":"${requestId}","method":${method === null ? 'null' : `"${method}"`},` +
    `"route":${JSON.stringify(route)},"status":${status},"ms":${roundMs(ms)}` +
    (keyId === undefined ? '' : `,"keyId":"${keyId}"`) +
    (error === undefined ? '' : `,"error":"${error}"`) +
    (param === undefined ? '' : `,"param":${JSON.stringify(param)}`) +
    (isDisconnected === true ? ',"disconnected":true' : '') +
    ',"msg":"request completed"}'
  );
}

/** Rounds to tenths of a millisecond. */
function roundMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
