import type { Kysely, LogEvent, Transaction } from 'kysely';
import { ApiError } from '#errors';
import type { Schema } from './schema.ts';

/** Called at the end of each statement. Must not throw. */
export type OnQuery = (isOk: boolean, ms: number) => void;

/** Returns the `log` option of Kysely that calls `onQuery`; undefined, which measures nothing, without it. */
export function createQueryLog(onQuery: OnQuery | undefined): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {};
  return { log: ({ level, queryDurationMillis }) => onQuery(level === 'query', queryDurationMillis) };
}

/** The database ended a transaction in favor of a concurrent one (deadlock, serialization failure). */
export class TransactionConflict extends ApiError {
  constructor(cause: unknown) {
    super('unavailable', undefined, { retryAfterSeconds: 1, cause });
  }
}

const MAX_TRIES = 5;

/**
 * Runs `act` in a transaction. If the transaction conflicts with others, runs it again, up to five times:
 * `act` must have no effects outside the transaction.
 */
export async function inTransaction<T>(
  db: Kysely<Schema>,
  act: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(act);
    } catch (error) {
      if (!(error instanceof TransactionConflict) || tries >= MAX_TRIES) throw error;
    }
  }
}
