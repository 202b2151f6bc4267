import { setImmediate } from 'node:timers/promises';
import { findLatencyStep } from './latency-steps.ts';
import { floorToBucket, type LatencyCount, type StatusClass, type UsageCount } from './usage-store.ts';

/** One answered request of a key. */
export interface UsageEvent {
  keyId: string;
  accountId: string;
  /** The operationId, or `none` if the path belongs to no operation. */
  operation: string;
  status: number;
  ms: number;
  requestId: string;
  atMs: number;
}

/** Log lines that wait for a flush. Further requests are counted, but not logged. */
const MAX_BUFFERED_LINES = 1_000;

/** The requests recorded since the last flush. */
export interface UsageBuffer {
  /** By key. A key has few counts per flush: to search them is faster than a map by all columns. */
  counts: Map<string, UsageCount[]>;
  /** By account. */
  latencies: Map<string, LatencyCount[]>;
  events: UsageEvent[];
}

export function createBuffer(): UsageBuffer {
  return { counts: new Map(), latencies: new Map(), events: [] };
}

/** Returns the number of rows by minute in the buffer. */
export function countRows(buffer: UsageBuffer): number {
  let rows = 0;
  for (const counts of buffer.counts.values()) rows += counts.length;
  return rows;
}

/** Returns the number of requests in the buffer. */
export function countRequests({ counts }: UsageBuffer): number {
  let requests = 0;
  for (const known of counts.values()) for (const count of known) requests += count.requests;
  return requests;
}

/** Returns whether the buffer is empty. */
export function isDrained({ counts, latencies, events }: UsageBuffer): boolean {
  return counts.size + latencies.size + events.length === 0;
}

/** Counts one request. */
export function addEvent(buffer: UsageBuffer, event: UsageEvent): void {
  const { keyId, accountId, operation, atMs } = event;
  const statusClass = toStatusClass(event.status);
  const minute = floorToBucket(atMs, 'minute');
  addCount(buffer.counts, accountId, keyId, operation, statusClass, minute, 1);
  addLatency(
    buffer.latencies,
    accountId,
    operation,
    findLatencyStep(event.ms),
    floorToBucket(atMs, 'hour'),
    1,
  );
  if (buffer.events.length < MAX_BUFFERED_LINES) buffer.events.push(event);
}

/** Searches from the end, where the newest counts are. */
function addCount(
  counts: UsageBuffer['counts'],
  accountId: string,
  keyId: string,
  operation: string,
  statusClass: StatusClass,
  bucketStartMs: number,
  requests: number,
): void {
  const known = listOf(counts, keyId);
  for (let at = known.length - 1; at >= 0; at -= 1) {
    const count = known[at] as UsageCount;
    if (
      count.bucketStartMs === bucketStartMs &&
      count.operation === operation &&
      count.statusClass === statusClass
    ) {
      count.requests += requests;
      return;
    }
  }
  known.push({ accountId, keyId, operation, statusClass, bucketSize: 'minute', bucketStartMs, requests });
}

function addLatency(
  latencies: UsageBuffer['latencies'],
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
  known.push({ accountId, operation, bucketStartMs, ms, requests });
}

function listOf<T>(lists: Map<string, T[]>, owner: string): T[] {
  let list = lists.get(owner);
  if (list === undefined) lists.set(owner, (list = []));
  return list;
}

/** Moves the contents of `later` to `earlier` in slices. `later` must not be used after the call. */
export async function mergeBuffers(earlier: UsageBuffer, later: UsageBuffer): Promise<void> {
  earlier.events = [...earlier.events, ...later.events].slice(-MAX_BUFFERED_LINES);
  for (let portion = takePortion(later); !isEmpty(portion); portion = takePortion(later)) {
    putBack(earlier, { ...portion, events: [] });
    await setImmediate();
  }
}

/** Rows of each kind per transaction: it bounds the time of the commit and of a checkpoint after it. */
const MAX_PORTION_ROWS = 250;

/** A part of a buffer that one transaction stores. */
export interface UsagePortion {
  counts: UsageCount[];
  latencies: LatencyCount[];
  events: UsageEvent[];
}

/** Returns whether the part is empty. */
export function isEmpty({ counts, latencies, events }: UsagePortion): boolean {
  return counts.length + latencies.length + events.length === 0;
}

/** Removes and returns a part of the buffer, `maxRows` of each kind; an empty part if the buffer is empty. */
export function takePortion(buffer: UsageBuffer, maxRows = MAX_PORTION_ROWS): UsagePortion {
  return {
    counts: takeRows(buffer.counts, maxRows),
    latencies: takeRows(buffer.latencies, maxRows),
    events: buffer.events.splice(0, maxRows),
  };
}

/** Puts a portion that could not be stored back into the buffer. */
export function putBack(buffer: UsageBuffer, portion: UsagePortion): void {
  for (const { accountId, keyId, operation, statusClass, bucketStartMs, requests } of portion.counts)
    addCount(buffer.counts, accountId, keyId, operation, statusClass, bucketStartMs, requests);
  for (const { accountId, operation, ms, bucketStartMs, requests } of portion.latencies)
    addLatency(buffer.latencies, accountId, operation, ms, bucketStartMs, requests);
  buffer.events.unshift(...portion.events);
}

function takeRows<T>(lists: Map<string, T[]>, maxRows: number): T[] {
  const rows: T[] = [];
  for (const [owner, list] of lists) {
    const left = maxRows - rows.length;
    if (left === 0) break;
    rows.push(...list.splice(0, left));
    if (list.length === 0) lists.delete(owner);
  }
  return rows;
}

function toStatusClass(status: number): StatusClass {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}
