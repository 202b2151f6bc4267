import pg from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import type { OnQuery } from '../sql/transaction.ts';

/**
 * Formats the URL of a database for `pg_dump` and `pg_restore`: without the password, and with the `sslmode`
 * that libpq has for that of this service.
 */
export function formatClientUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  url.searchParams.delete('password');
  const mode = url.searchParams.get('sslmode');
  if (mode === 'require') url.searchParams.set('sslmode', 'verify-full');
  // libpq does not verify with `require`.
  if (mode === 'no-verify') url.searchParams.set('sslmode', 'require');
  return url.href;
}

/** The server, and the limits of its use. */
export interface PostgresOptions {
  /** A `postgres://` or `postgresql://` URL. */
  url: string;
  /** The most connections of the pool. The lookups of keys and the notices have three more. */
  poolSize: number;
  /** The time after which a statement is canceled. */
  statementTimeoutMs: number;
  /** Receives the cause when the server is out of reach, and null when it is back. */
  onHealthChange?: (cause: unknown) => void;
  /** Observes the statements. */
  onQuery?: OnQuery | undefined;
  /** The time of day, on the clock of the key cache. */
  now: () => number;
}

/** A connection, or the wait for a place in the pool, that takes longer fails. */
const CONNECT_TIMEOUT_MS = 2_000;
/** The client gives the server this much longer to report the timeout itself. */
const TIMEOUT_MARGIN_MS = 250;
/** A transaction that is idle for longer belongs to a stopped process, and may hold locks. */
const IDLE_TRANSACTION_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
const { INT8, NUMERIC } = pg.types.builtins;

/** Integers of 64 bits and their sums are numbers: times in milliseconds and counts are below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

/**
 * Returns the options of connections. Statements that take longer than `timeoutMs` are canceled by the
 * server, or, if it does not respond, fail here. Throws if a file that the URL names cannot be read.
 */
export function toClientOptions(url: string, timeoutMs: number): pg.ClientConfig {
  return {
    application_name: 'utility-api',
    ...toClientConfig(parse(withStrictTls(url))),
    types,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, timeoutMs + TIMEOUT_MARGIN_MS),
    statement_timeout: timeoutMs,
    lock_timeout: timeoutMs,
    query_timeout: timeoutMs + TIMEOUT_MARGIN_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** Names the server and the database of the URL, without the user and the password. */
export function describeServer(url: string): string {
  const { host, port, database, user } = parse(withStrictTls(url), {});
  return `PostgreSQL at ${host ?? 'localhost'}:${port || 5432}, database ${database ?? user ?? ''}`;
}

/** Spells `require` as `verify-full`, which is what `pg` makes of it, with a warning for each process. */
function withStrictTls(url: string): string {
  return url.replace(/([?&]sslmode=)require(?=&|$)/, '$1verify-full');
}
