/** Counts in memory, in a list per owner. Lists are searched from the end, where the newest counts are. */
import type { StatusClass } from './logged-request.ts';
import type { ErrorCount, LatencyCount, UsageCount } from './usage-store.ts';

/** The requests of a key in a minute, and the units that they used of its limit. */
export interface MinuteCount extends UsageCount {
  units: number;
}

/** Adds to the count of a minute. */
export function addCount(
  counts: Map<string, MinuteCount[]>,
  accountId: string,
  keyId: string,
  operation: string,
  statusClass: StatusClass,
  bucketStartMs: number,
  requests: number,
  units: number,
): void {
  const known = listOf(counts, keyId);
  for (let at = known.length - 1; at >= 0; at -= 1) {
    const count = known[at] as MinuteCount;
    if (
      count.bucketStartMs === bucketStartMs &&
      count.operation === operation &&
      count.statusClass === statusClass
    ) {
      count.requests += requests;
      count.units += units;
      return;
    }
  }
  known.push({
    accountId,
    keyId,
    operation,
    statusClass,
    bucketSize: 'minute',
    bucketStartMs,
    requests,
    units,
  });
}

/** Adds to the count of an error. */
export function addError(
  errors: Map<string, ErrorCount[]>,
  accountId: string,
  keyId: string,
  operation: string,
  error: string,
  bucketStartMs: number,
  requests: number,
): void {
  const known = listOf(errors, keyId);
  for (let at = known.length - 1; at >= 0; at -= 1) {
    const count = known[at] as ErrorCount;
    if (count.error === error && count.operation === operation && count.bucketStartMs === bucketStartMs) {
      count.requests += requests;
      return;
    }
  }
  known.push({ accountId, keyId, operation, error, bucketSize: 'hour', bucketStartMs, requests });
}

/** Adds to the count of a latency step. */
export function addLatency(
  latencies: Map<string, LatencyCount[]>,
  accountId: string,
  operation: string,
  ms: number,
  bucketStartMs: number,
  requests: number,
): void {
  const known = listOf(latencies, accountId);
  for (let at = known.length - 1; at >= 0; at -= 1) {
    const latency = known[at] as LatencyCount;
    if (latency.ms === ms && latency.operation === operation && latency.bucketStartMs === bucketStartMs) {
      latency.requests += requests;
      return;
    }
  }
  known.push({ accountId, operation, bucketSize: 'hour', bucketStartMs, ms, requests });
}

function listOf<T>(lists: Map<string, T[]>, owner: string): T[] {
  let list = lists.get(owner);
  if (list === undefined) lists.set(owner, (list = []));
  return list;
}
