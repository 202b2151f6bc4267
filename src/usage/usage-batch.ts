import type { UsagePortion } from './usage-buffer.ts';
import { floorToBucket, type NewLoggedRequest, type UsageBatch, type UsageCount } from './usage-store.ts';

/**
 * Returns the rows to store. Hours and days are counted with the minutes, in the same transaction: no later
 * roll-up is needed, and none can count twice.
 */
export function toBatch({ counts: minutes, latencies, events }: UsagePortion): Omit<UsageBatch, 'lastUsed'> {
  const requests: NewLoggedRequest[] = events.map((event) => ({
    accountId: event.accountId,
    keyId: event.keyId,
    operation: event.operation,
    status: event.status,
    ms: Math.round(event.ms),
    requestId: event.requestId,
    atMs: event.atMs,
  }));
  return { counts: [...minutes, ...rollUp(minutes)], latencies, requests };
}

/** Returns the counts by hour and by day. */
function rollUp(minutes: readonly UsageCount[]): Iterable<UsageCount> {
  const rolledUp = new Map<string, UsageCount>();
  for (const bucketSize of ['hour', 'day'] as const) {
    for (const minute of minutes) {
      const bucketStartMs = floorToBucket(minute.bucketStartMs, bucketSize);
      const { keyId, operation, statusClass } = minute;
      const columns = `${keyId} ${operation} ${statusClass} ${bucketSize} ${bucketStartMs}`;
      const known = rolledUp.get(columns);
      if (known) known.requests += minute.requests;
      else rolledUp.set(columns, { ...minute, bucketSize, bucketStartMs });
    }
  }
  return rolledUp.values();
}
