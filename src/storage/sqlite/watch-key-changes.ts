import { type Kysely, sql } from 'kysely';
import { loadKeyRevision } from '../sql/key-store.ts';
import type { Schema } from '../sql/schema.ts';

/**
 * Calls `notify` after commits of other connections that changed keys. Finds commits by
 * `pragma data_version`, which reads shared memory, then compares the revision of the keys. Returns the
 * function that stops it.
 */
export async function watchKeyChanges(
  db: Kysely<Schema>,
  intervalMs: number,
  notify: () => void,
): Promise<() => void> {
  const loadDataVersion = async (): Promise<number> => {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
    return rows[0]?.data_version ?? 0;
  };
  let dataVersion = await loadDataVersion();
  let revision = await loadKeyRevision(db);
  let isChecking = false;
  async function check(): Promise<void> {
    const seen = await loadDataVersion();
    if (seen === dataVersion) return;
    const found = await loadKeyRevision(db);
    dataVersion = seen;
    if (found === revision) return;
    revision = found;
    notify();
  }
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // After a failure the next check finds the change.
    check()
      .catch(() => {})
      .finally(() => {
        isChecking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
