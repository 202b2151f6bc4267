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
  /** By their columns, joined. */
  counts: Map<string, UsageCount>;
  latencies: Map<string, LatencyCount>;
  events: UsageEvent[];
}

export function createBuffer(): UsageBuffer {
  return { counts: new Map(), latencies: new Map(), events: [] };
}

/** Counts one request. */
export function addEvent(buffer: UsageBuffer, event: UsageEvent): void {
  const { keyId, accountId, operation, atMs } = event;
  const statusClass = readStatusClass(event.status);
  const minute = floor(atMs, BUCKET_MS.minute);
  const counted = `${keyId} ${operation} ${statusClass} ${minute}`;
  const count = buffer.counts.get(counted);
  if (count) count.requests += 1;
  else {
    const bucketSize = 'minute';
    buffer.counts.set(counted, {
      accountId,
      keyId,
      operation,
      statusClass,
      bucketSize,
      bucketStartMs: minute,
      requests: 1,
    });
  }
  const hour = floor(atMs, BUCKET_MS.hour);
  const ms = readLatencyStep(event.ms);
  const timed = `${accountId} ${operation} ${ms} ${hour}`;
  const latency = buffer.latencies.get(timed);
  if (latency) latency.requests += 1;
  else buffer.latencies.set(timed, { accountId, operation, bucketStartMs: hour, ms, requests: 1 });
  if (buffer.events.length < MAX_BUFFERED_LINES) buffer.events.push(event);
}

function addCount<T extends { requests: number }>(counts: Map<string, T>, column: string, count: T): void {
  const known = counts.get(column);
  if (known) known.requests += count.requests;
  else counts.set(column, count);
}

/** What both hold, in `earlier`. */
export function mergeBuffers(earlier: UsageBuffer, later: UsageBuffer): UsageBuffer {
  for (const [column, count] of later.counts) addCount(earlier.counts, column, count);
  for (const [column, count] of later.latencies) addCount(earlier.latencies, column, count);
  earlier.events = [...earlier.events, ...later.events].slice(-MAX_BUFFERED_LINES);
  return earlier;
}

/**
 * The rows to store. Hours and days are counted with the minutes, in the same transaction: nothing has to be rolled up later, and nothing can be counted twice.
 */
export function toBatch(buffer: UsageBuffer): Omit<UsageBatch, 'lastUsed'> {
  const minutes = [...buffer.counts.values()];
  const rolledUp = new Map<string, UsageCount>();
  for (const bucketSize of ['hour', 'day'] as const) {
    for (const minute of minutes) {
      const bucketStartMs = floor(minute.bucketStartMs, BUCKET_MS[bucketSize]);
      const { keyId, operation, statusClass } = minute;
      addCount(rolledUp, `${keyId} ${operation} ${statusClass} ${bucketSize} ${bucketStartMs}`, {
        ...minute,
        bucketSize,
        bucketStartMs,
      });
    }
  }
  const requests: NewLoggedRequest[] = buffer.events.map((event) => ({
    accountId: event.accountId,
    keyId: event.keyId,
    operation: event.operation,
    status: event.status,
    ms: Math.round(event.ms),
    requestId: event.requestId,
    atMs: event.atMs,
  }));
  return {
    counts: [...minutes, ...rolledUp.values()],
    latencies: [...buffer.latencies.values()],
    requests,
  };
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
