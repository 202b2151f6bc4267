import { setImmediate } from 'node:timers/promises';
import {
  BUCKET_MS,
  type LatencyCount,
  type NewLoggedRequest,
  type StatusClass,
  type UsageBatch,
  type UsageCount,
} from './usage-store.ts';
import { readLatencyStep } from './latency-steps.ts';

/** One answered request of a key. */
export interface UsageEvent {
  keyId: string;
  accountId: string;
  /** The operationId, or `none` where the path belongs to no operation. */
  operation: string;
  status: number;
  ms: number;
  requestId: string;
  atMs: number;
}

/** The lines of the request log that wait for a flush; past it the newest are left out of the log. Counts are never left out. */
const MAX_BUFFERED_LINES = 1_000;

/** What was recorded since the last flush. */
export interface UsageBuffer {
  /** By key, and by account: the few that one has within a flush are searched one by one, which is cheaper than joining their columns. */
  counts: Map<string, UsageCount[]>;
  latencies: Map<string, LatencyCount[]>;
  events: UsageEvent[];
}

export function createBuffer(): UsageBuffer {
  return { counts: new Map(), latencies: new Map(), events: [] };
}

/** How many rows the buffer makes by the minute. */
export function countRows(buffer: UsageBuffer): number {
  let rows = 0;
  for (const counts of buffer.counts.values()) rows += counts.length;
  return rows;
}

/** Whether the buffer holds nothing. */
export function isDrained({ counts, latencies, events }: UsageBuffer): boolean {
  return counts.size + latencies.size + events.length === 0;
}

/** Counts one request. */
export function addEvent(buffer: UsageBuffer, event: UsageEvent): void {
  const { keyId, accountId, operation, atMs } = event;
  const statusClass = readStatusClass(event.status);
  const minute = floor(atMs, BUCKET_MS.minute);
  addCount(buffer.counts, accountId, keyId, operation, statusClass, minute, 1);
  addLatency(
    buffer.latencies,
    accountId,
    operation,
    readLatencyStep(event.ms),
    floor(atMs, BUCKET_MS.hour),
    1,
  );
  if (buffer.events.length < MAX_BUFFERED_LINES) buffer.events.push(event);
}

/** The newest are last: the search begins there. */
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

/** Adds what `later` holds to `earlier`; gives way to requests between slices. `later` must not be recorded into any more. */
export async function mergeBuffers(earlier: UsageBuffer, later: UsageBuffer): Promise<void> {
  earlier.events = [...earlier.events, ...later.events].slice(-MAX_BUFFERED_LINES);
  for (let portion = takePortion(later); !isEmpty(portion); portion = takePortion(later)) {
    putBack(earlier, { ...portion, events: [] });
    await setImmediate();
  }
}

/** Rows of each kind in one transaction: its writing, its commit and the checkpoint that may follow are short. */
const MAX_PORTION_ROWS = 250;

/** A part of a buffer that is stored as a whole. */
export interface UsagePortion {
  counts: UsageCount[];
  latencies: LatencyCount[];
  events: UsageEvent[];
}

export function isEmpty({ counts, latencies, events }: UsagePortion): boolean {
  return counts.length + latencies.length + events.length === 0;
}

/** Removes a bounded part of the buffer and returns it; an empty one if nothing is left. */
export function takePortion(buffer: UsageBuffer): UsagePortion {
  return {
    counts: takeRows(buffer.counts),
    latencies: takeRows(buffer.latencies),
    events: buffer.events.splice(0, MAX_PORTION_ROWS),
  };
}

/** Counts a portion again that could not be stored. */
export function putBack(buffer: UsageBuffer, portion: UsagePortion): void {
  for (const { accountId, keyId, operation, statusClass, bucketStartMs, requests } of portion.counts)
    addCount(buffer.counts, accountId, keyId, operation, statusClass, bucketStartMs, requests);
  for (const { accountId, operation, ms, bucketStartMs, requests } of portion.latencies)
    addLatency(buffer.latencies, accountId, operation, ms, bucketStartMs, requests);
  buffer.events.unshift(...portion.events);
}

function takeRows<T>(lists: Map<string, T[]>): T[] {
  const rows: T[] = [];
  for (const [owner, list] of lists) {
    const left = MAX_PORTION_ROWS - rows.length;
    if (left === 0) break;
    rows.push(...list.splice(0, left));
    if (list.length === 0) lists.delete(owner);
  }
  return rows;
}

/**
 * The rows to store. Hours and days are counted with the minutes, in the same transaction: nothing has to be rolled up later, and nothing can be counted twice.
 */
export function toBatch({ counts: minutes, latencies, events }: UsagePortion): Omit<UsageBatch, 'lastUsed'> {
  const rolledUp = new Map<string, UsageCount>();
  for (const bucketSize of ['hour', 'day'] as const) {
    for (const minute of minutes) {
      const bucketStartMs = floor(minute.bucketStartMs, BUCKET_MS[bucketSize]);
      const { keyId, operation, statusClass } = minute;
      const columns = `${keyId} ${operation} ${statusClass} ${bucketSize} ${bucketStartMs}`;
      const known = rolledUp.get(columns);
      if (known) known.requests += minute.requests;
      else rolledUp.set(columns, { ...minute, bucketSize, bucketStartMs });
    }
  }
  const requests: NewLoggedRequest[] = events.map((event) => ({
    accountId: event.accountId,
    keyId: event.keyId,
    operation: event.operation,
    status: event.status,
    ms: Math.round(event.ms),
    requestId: event.requestId,
    atMs: event.atMs,
  }));
  return { counts: [...minutes, ...rolledUp.values()], latencies, requests };
}

function readStatusClass(status: number): StatusClass {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

function floor(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}
