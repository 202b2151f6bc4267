import { hostname } from 'node:os';
import { symbols } from 'pino';
import { LogDestination } from './log-destination.ts';

/** One finished request. Texts that need no escaping are noted as safe. */
export interface RequestLine {
  /** The id in X-Request-Id and in the error body. Safe. */
  requestId: string;
  /** Null if the HTTP parser refused the request before its method was known. Safe. */
  method: string | null;
  /** The pattern of the route, `unknown` if no route takes the request. Never the path. */
  route: string;
  status: number;
  /** From the head of the request to its response, or to the end of a response that is sent in parts. */
  ms: number | null;
  /** Safe. */
  keyId?: string | undefined;
  /** The identifier of the error. Safe. */
  error?: string | undefined;
  /** The code of why the target of `unreachable` could not be reached. Safe. */
  cause?: string | undefined;
  /** The field at fault, if it is one that the contract names. */
  param?: string | undefined;
  /** True if the client disconnected before the whole response was sent. */
  isDisconnected?: boolean | undefined;
  /** The cause of a failure of the service. */
  err?: unknown;
}

export type RequestLevel = 'debug' | 'info' | 'warn' | 'error';
type LogLine = (facts: object, message: string) => void;
type Target = { [L in RequestLevel]: LogLine } & { level: string };

export interface RequestLog {
  isEnabled: (level: RequestLevel) => boolean;
  /** Writes one line: `request completed`, or `request failed` if the level is not `info` or `debug`. */
  write: (level: RequestLevel, request: RequestLine) => void;
}

/** The levels of pino, by their number in a line. */
const LEVELS: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50 };

/**
 * Creates the log of requests. Lines at `info` are put together here: pino would take eight times as long for
 * a line (1.0 µs), and there is one for every request.
 */
export function createRequestLog(logger: Target, now: () => number): RequestLog {
  const lowest = LEVELS[logger.level] ?? Infinity;
  const isEnabled = (level: RequestLevel): boolean => (LEVELS[level] ?? 0) >= lowest;
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

/** Returns the queue to which a logger writes; undefined if it writes elsewhere. */
function findDestination(logger: object): LogDestination | undefined {
  const stream: unknown = Reflect.get(logger, symbols.streamSym);
  return stream instanceof LogDestination ? stream : undefined;
}

function isFailure(level: RequestLevel): boolean {
  return level === 'warn' || level === 'error';
}

function toMembers({ ms, isDisconnected, ...rest }: RequestLine): object {
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
  cause,
  param,
  isDisconnected,
}: RequestLine): string {
  return (
    `"requestId":"${requestId}","method":${method === null ? 'null' : `"${method}"`},` +
    `"route":${JSON.stringify(route)},"status":${status},"ms":${roundMs(ms)}` +
    (keyId === undefined ? '' : `,"keyId":"${keyId}"`) +
    (error === undefined ? '' : `,"error":"${error}"`) +
    (cause === undefined ? '' : `,"cause":"${cause}"`) +
    (param === undefined ? '' : `,"param":${JSON.stringify(param)}`) +
    (isDisconnected === true ? ',"disconnected":true' : '') +
    ',"msg":"request completed"}'
  );
}

/** Rounds to tenths of a millisecond. */
function roundMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
