import { setImmediate } from 'node:timers/promises';
import { type MinuteCount, addCount, addError, addLatency } from './merge-counts.ts';
import {
  type NewLoggedRequest,
  type RequestDetails,
  findLatencyStep,
  isFailed,
  toStatusClass,
} from './logged-request.ts';
import {
  type ErrorCount,
  type LatencyCount,
  type MonthTotal,
  type UsageBatch,
  floorToBucket,
  floorToMonth,
} from './usage-store.ts';

/** Rows of one account and minute: of 20 keys, each with five kinds of counts. Hours count what is beyond. */
const MAX_MINUTE_ROWS = 100;

/** Bounds the rows that one account causes in a minute. */
export class MinuteRows {
  /** The rows of the newest minute that are stored, by account. */
  readonly #stored = new Map<string, Set<string>>();
  #newestMs = 0;

  /** Returns the counts to store by minute: those of stored rows, and of new ones while there is room. */
  select(minutes: readonly MinuteCount[]): MinuteCount[] {
    return minutes.filter((count) => {
      const { accountId, bucketStartMs } = count;
      if (bucketStartMs > this.#newestMs) {
        this.#stored.clear();
        this.#newestMs = bucketStartMs;
      }
      const stored = this.#stored.get(accountId) ?? new Set();
      if (stored.size < MAX_MINUTE_ROWS) this.#stored.set(accountId, stored.add(toCountKey(count)));
      return stored.has(toCountKey(count));
    });
  }
}

/**
 * Returns the rows to store. Hours, days and months are counted with the minutes, in the same transaction: no
 * later roll-up is needed, and none can count twice.
 */
export function toBatch(portion: UsagePortion, rows: MinuteRows): Omit<UsageBatch, 'lastUsed'> {
  const { counts: minutes, latencies, errors, events } = portion;
  const requests = events.map((event): NewLoggedRequest => ({ ...event, ms: Math.round(event.ms) }));
  return {
    counts: [
      ...rows.select(minutes),
      ...rollUp(minutes, 'hour', toCountKey),
      ...rollUp(minutes, 'day', toCountKey),
    ],
    latencies: [
      ...latencies,
      ...rollUp(latencies, 'day', ({ accountId, operation, ms }) => `${accountId} ${operation} ${ms}`),
    ],
    errors: [
      ...errors,
      ...rollUp(errors, 'day', ({ keyId, operation, error }) => `${keyId} ${operation} ${error}`),
    ],
    months: sumMonths(minutes),
    requests,
  };
}

function toCountKey({ keyId, operation, statusClass }: MinuteCount): string {
  return `${keyId} ${operation} ${statusClass}`;
}

/** Returns the counts in larger buckets. `toKey` returns what distinguishes the rows of a bucket. */
function rollUp<
  Size extends 'hour' | 'day',
  Row extends { bucketSize: string; bucketStartMs: number; requests: number },
>(rows: readonly Row[], bucketSize: Size, toKey: (row: Row) => string): Iterable<Row & { bucketSize: Size }> {
  const rolledUp = new Map<string, Row & { bucketSize: Size }>();
  for (const row of rows) {
    const bucketStartMs = floorToBucket(row.bucketStartMs, bucketSize);
    const key = `${toKey(row)} ${bucketStartMs}`;
    const known = rolledUp.get(key);
    if (known) known.requests += row.requests;
    else rolledUp.set(key, { ...row, bucketSize, bucketStartMs });
  }
  return rolledUp.values();
}

function sumMonths(minutes: readonly MinuteCount[]): MonthTotal[] {
  const months = new Map<string, MonthTotal>();
  for (const { accountId, operation, statusClass, bucketStartMs, requests, units } of minutes) {
    const monthStartMs = floorToMonth(bucketStartMs);
    const key = `${accountId} ${operation} ${monthStartMs}`;
    let month = months.get(key);
    if (!month)
      months.set(key, (month = { accountId, monthStartMs, operation, requests: 0, errors: 0, units: 0 }));
    month.requests += requests;
    month.units += units;
    if (isFailed(statusClass)) month.errors += requests;
  }
  return [...months.values()];
}

/** One answered request of a key. */
export interface UsageEvent extends RequestDetails {
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
  counts: Map<string, MinuteCount[]>;
  /** By account. */
  latencies: Map<string, LatencyCount[]>;
  /** By key. */
  errors: Map<string, ErrorCount[]>;
  events: UsageEvent[];
}

export function createBuffer(): UsageBuffer {
  return { counts: new Map(), latencies: new Map(), errors: new Map(), events: [] };
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
export function isDrained({ counts, latencies, errors, events }: UsageBuffer): boolean {
  return counts.size + latencies.size + errors.size + events.length === 0;
}

/** Counts one request. */
export function addEvent(buffer: UsageBuffer, event: UsageEvent): void {
  const { keyId, accountId, operation, error, atMs } = event;
  const statusClass = toStatusClass(event.status);
  const minute = floorToBucket(atMs, 'minute');
  addCount(buffer.counts, accountId, keyId, operation, statusClass, minute, 1, event.units ?? 1);
  addLatency(
    buffer.latencies,
    accountId,
    operation,
    findLatencyStep(event.ms),
    floorToBucket(atMs, 'hour'),
    1,
  );
  if (error !== undefined)
    addError(buffer.errors, accountId, keyId, operation, error, floorToBucket(atMs, 'hour'), 1);
  if (buffer.events.length < MAX_BUFFERED_LINES) buffer.events.push(event);
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
interface UsagePortion {
  counts: MinuteCount[];
  latencies: LatencyCount[];
  errors: ErrorCount[];
  events: UsageEvent[];
}

/** Returns whether the part is empty. */
export function isEmpty({ counts, latencies, errors, events }: UsagePortion): boolean {
  return counts.length + latencies.length + errors.length + events.length === 0;
}

/** Removes and returns a part of the buffer, `maxRows` of each kind; an empty part if the buffer is empty. */
export function takePortion(buffer: UsageBuffer, maxRows = MAX_PORTION_ROWS): UsagePortion {
  return {
    counts: takeRows(buffer.counts, maxRows),
    latencies: takeRows(buffer.latencies, maxRows),
    errors: takeRows(buffer.errors, maxRows),
    events: buffer.events.splice(0, maxRows),
  };
}

/** Puts a portion that could not be stored back into the buffer. */
export function putBack(buffer: UsageBuffer, portion: UsagePortion): void {
  for (const { accountId, keyId, operation, statusClass, bucketStartMs, requests, units } of portion.counts)
    addCount(buffer.counts, accountId, keyId, operation, statusClass, bucketStartMs, requests, units);
  for (const { accountId, keyId, operation, error, bucketStartMs, requests } of portion.errors)
    addError(buffer.errors, accountId, keyId, operation, error, bucketStartMs, requests);
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
