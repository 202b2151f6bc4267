import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { UsageBatch } from '#usage';
import type { Schema } from '../sql/schema.ts';
import { createBatchWriter } from './write-usage.ts';

/** Rows after which the write-ahead log is copied into the database: each row may change several pages. */
const ROWS_PER_CHECKPOINT = 500;

/**
 * Creates the functions that write a batch in a transaction, and that call `checkpoint`, which copies the
 * write-ahead log into the database, after many rows have changed.
 */
export function createSqliteUsageWriter(
  db: Kysely<Schema>,
  checkpoint: () => Promise<void>,
): {
  write: (batch: UsageBatch) => Promise<void>;
  onChange: (rows: number) => Promise<void>;
} {
  const writeBatch = createBatchWriter(db);
  let rowsInLog = 0;

  async function onChange(rows: number): Promise<void> {
    rowsInLog += rows;
    if (rowsInLog < ROWS_PER_CHECKPOINT) return;
    rowsInLog = 0;
    // In another turn of the event loop than the commit.
    await setImmediate();
    await checkpoint();
  }

  return {
    async write(batch) {
      await db.transaction().execute((trx) => writeBatch(trx, batch));
      const { counts, latencies, errors, months, requests, lastUsed } = batch;
      const sums = counts.length + latencies.length + errors.length + months.length;
      await onChange(sums + requests.length + lastUsed.size);
    },
    onChange,
  };
}
