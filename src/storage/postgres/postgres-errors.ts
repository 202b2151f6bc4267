import pg from 'pg';
import { ApiError } from '#errors';
import { TransactionConflict } from '../sql/transaction.ts';

/** The server cannot be reached, or does not accept connections yet: this may pass by itself. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable';
}

/** The meaning of an error of PostgreSQL for its caller and for the connection. */
interface PostgresFailure {
  /** The error to throw. */
  error: unknown;
  /** True if the server may be out of reach for everything else too. */
  isServerLost: boolean;
  /** True if the connection cannot be used again. */
  isConnectionBroken: boolean;
}

const RETRY_SECONDS = 5;
/** The message of pg-pool if every connection is in use for too long: the server is busy, not lost. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Codes of SQLSTATE, see https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const CONFLICTS = new Set(['40001', '40P01']);
/** Connection exceptions, shutdown, crash, start-up. */
const LOST = /^(08...|57P0[1-4])$/;
/**
 * Not the fault of the query: authorization, database dropped, read-only, no resources (connections, disk,
 * memory), limits of the program, canceled by a timeout, lock not available, system error, internal error.
 */
const UNAVAILABLE = /^(28...|3D000|25006|25P0[34]|53...|54...|55P03|57...|58...|XX...|F0...)$/;
/** After these, the server has closed the connection or may. */
const BREAKS = /^(08...|25P0[34]|28...|3D000|53300|57P0.|58...|XX...|F0...)$/;

/**
 * Judges an error of `pg`. Errors of the query itself, such as a violated constraint, are returned as they
 * are.
 */
export function judgeError(cause: unknown): PostgresFailure {
  if (cause instanceof ApiError || cause instanceof TypeError || cause instanceof RangeError)
    return { error: cause, isServerLost: false, isConnectionBroken: true };
  if (!(cause instanceof pg.DatabaseError)) {
    const isServerLost = (cause as Error).message !== POOL_TIMEOUT;
    return { error: unavailable(cause), isServerLost, isConnectionBroken: true };
  }
  const { code = '' } = cause;
  if (CONFLICTS.has(code))
    return { error: new TransactionConflict(cause), isServerLost: false, isConnectionBroken: false };
  const isServerLost = LOST.test(code);
  const error = isServerLost || UNAVAILABLE.test(code) ? unavailable(cause) : cause;
  return { error, isServerLost, isConnectionBroken: BREAKS.test(code) };
}

/** Returns the error of a request that needs the database while it cannot be used. */
export function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The database is not available: try again after Retry-After.', {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
}

/** Codes of sockets and of DNS, which has no entry for a container before it starts. */
const NETWORK = /^E(CONN|HOST|NET|TIMEDOUT|PIPE|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN)/;
/** Messages of `pg` and `pg-pool`, which have no code. */
const TIMEOUT = /^(timeout e|Connection terminated|Query read timeout)/;
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Checks whether a server that starts, or is replaced, may cause this error. Refused passwords, databases and
 * certificates have to be corrected.
 */
export function isUnreachable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (cause instanceof pg.DatabaseError) return LOST.test(code) || code === TOO_MANY_CONNECTIONS;
  return NETWORK.test(code) || TIMEOUT.test(message);
}
