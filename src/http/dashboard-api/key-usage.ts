/** The requests of each key of an account, for the list of keys. */
import { BUCKET_MS, floorToBucket, type UsageStore } from '#usage';
import { type Static, Type } from 'typebox';
import { strict } from '../schema.ts';

const DAYS = 30;
const WEEK_DAYS = 7;

export const keyUsage = strict({
  today: Type.Integer(),
  last_7_days: Type.Integer(),
  last_30_days: Type.Integer(),
  /** Requests of each of the 30 days, oldest first; the last is today (UTC). Empty if there are none. */
  by_day: Type.Array(Type.Integer()),
});
export type KeyUsage = Static<typeof keyUsage>;

/** Returns a function that finds the usage of a key. */
export async function loadKeyUsage(
  usage: UsageStore,
  accountId: string,
  nowMs: number,
): Promise<(keyId: string) => KeyUsage> {
  const firstDayMs = floorToBucket(nowMs, 'day') - (DAYS - 1) * BUCKET_MS.day;
  const query = { accountId, bucketSize: 'day', fromMs: firstDayMs, toMs: nowMs + 1 } as const;
  const byKey = Map.groupBy(await usage.sumByKey(query), ({ keyId }) => keyId);
  return (keyId) => {
    const sums = byKey.get(keyId);
    if (!sums) return { today: 0, last_7_days: 0, last_30_days: 0, by_day: [] };
    const days = Array.from({ length: DAYS }, () => 0);
    for (const { bucketStartMs, requests } of sums)
      days[(bucketStartMs - firstDayMs) / BUCKET_MS.day] = requests;
    const sumOf = (count: number): number => days.slice(-count).reduce((sum, requests) => sum + requests, 0);
    return { today: sumOf(1), last_7_days: sumOf(WEEK_DAYS), last_30_days: sumOf(DAYS), by_day: days };
  };
}
