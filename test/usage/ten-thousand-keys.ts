/** The requests of 10,000 keys in one second, for the measurement of what storing them takes. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { UsageRecorder } from '#usage';

export const KEYS = 10_000;
export const RUNS = 3;
export const START = Date.UTC(2026, 5, 1, 12);
export const MINUTE_MS = 60_000;
/** When the requests begin that are stored after failures. */
export const FAILURES_START = START + 60 * MINUTE_MS;

/** Returns ids without an order, like random ones. */
const id = (n: number): string => ((n * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, '0');

export function openDatabase(dataDir: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'utility-api.db'), options);
}

/** Stores the keys, each of an account of its own. */
export function storeKeys(dataDir: string): void {
  const db = openDatabase(dataDir);
  const insertAccount = db.prepare(
    "insert into accounts (id, email, name, email_verified, plan, admin, disabled, created_at, updated_at) values (?, ?, '', 1, 'pro', 0, 0, 0, 0)",
  );
  const insertKey = db.prepare(
    "insert into api_keys (id, account_id, limit_id, secret_hash, name, prefix, last_four, created_at) values (?, ?, ?, ?, 'name', 'ua_live_', 'abcd', 0)",
  );
  db.exec('begin');
  for (let n = 0; n < KEYS; n += 1) {
    insertAccount.run(`acc_${id(n)}`, `${id(n)}@example.com`);
    insertKey.run(`key_${id(n)}`, `acc_${id(n)}`, id(n), id(n));
  }
  db.exec('commit');
  db.close();
}

/** Records one request of each key. */
export function recordAll(recorder: UsageRecorder, atMs: number): void {
  for (let n = 0; n < KEYS; n += 1)
    recorder.record({
      keyId: `key_${id(n)}`,
      accountId: `acc_${id(n)}`,
      operation: 'validateEmail',
      status: 200,
      ms: n % 100,
      requestId: `r${n}`,
      atMs,
    });
}
