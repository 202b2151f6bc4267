import { setImmediate } from 'node:timers/promises';
import { computeRetention } from './usage-periods.ts';
import {
  MinuteRows,
  type UsageEvent,
  addEvent,
  countRequests,
  countRows,
  createBuffer,
  isDrained,
  isEmpty,
  mergeBuffers,
  takePortion,
  toBatch,
} from './usage-buffer.ts';
import type { UsageBatch, UsageStore } from './usage-store.ts';

interface UsageRecorderOptions {
  store: UsageStore;
  now: () => number;
  /** The interval at which the buffer is written, in milliseconds. */
  flushIntervalMs?: number;
  /**
   * Receives the error of the first flush that fails, and of the last one before the end. Its counts are
   * written with the next flush.
   */
  onError?: (error: unknown) => void;
  /** Called after each flush that failed. */
  onFailedWrite?: (() => void) | undefined;
  /** Called when a flush takes the requests that it writes. */
  onWriteStart?: (() => void) | undefined;
  /** Called after a flush has written all that it took; the next one waits for the promise. */
  onWritten?: (() => Promise<void>) | undefined;
  /** Called after the first flush that succeeds again. */
  onRecover?: (outage: UsageOutage) => void;
}

/** A time in which usage could not be written. */
export interface UsageOutage {
  failedWrites: number;
  /** Requests that are missing in the counts: memory for them was full. */
  lostRequests: number;
}

/** The counts in memory. */
export interface UsageState {
  /** When the oldest request was recorded that is not written; null if all are. */
  unwrittenSinceMs: number | null;
  /** Rows that are not written. */
  bufferedRows: number;
  /** Rows that were lost because too many could not be written. */
  lostRows: number;
}

export interface UsageRecorder {
  /** Counts a request in memory. */
  record: (event: UsageEvent) => void;
  /** Writes the buffer. Rejects if the database fails; the counts are kept. */
  flush: () => Promise<void>;
  getState: () => UsageState;
  /** Writes the buffer one last time. Does not reject: `onError` receives a failure. */
  close: () => Promise<void>;
}

/** Counts that are kept while the database fails, which bounds memory. Further counts are lost. */
const MAX_KEPT_COUNTS = 200_000;
/** Last uses per transaction. */
const MAX_PORTION_KEYS = 250;
const PRUNE_INTERVAL_MS = 3_600_000;

/**
 * Creates a recorder that counts requests in memory, writes the counts once a second and deletes expired ones
 * once an hour.
 */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { store, now, flushIntervalMs = 1_000, onError = () => {}, onRecover = () => {} } = options;
  const { record, write, takeLost, getState } = createWriter(store, now, options.onWriteStart);
  const prune = createPruner(store, now);
  let flushing: Promise<void> = Promise.resolve();
  let isTicking = false;
  let failedWrites = 0;

  function flush(isLast = false): Promise<void> {
    const started = flushing
      .catch(() => {})
      .then(() => write(isLast))
      .then(() => (isLast ? undefined : options.onWritten?.()))
      .then(prune);
    flushing = started;
    return started;
  }

  function reportFailure(error: unknown): void {
    failedWrites += 1;
    options.onFailedWrite?.();
    if (failedWrites === 1) onError(error);
  }

  function reportSuccess(): void {
    if (failedWrites === 0) return;
    onRecover({ failedWrites, lostRequests: takeLost() });
    failedWrites = 0;
  }

  const timer = setInterval(() => {
    if (isTicking) return;
    isTicking = true;
    flush()
      .then(reportSuccess, reportFailure)
      .finally(() => {
        isTicking = false;
      });
  }, flushIntervalMs);
  timer.unref();
  return {
    record,
    getState,
    flush: () => flush(),
    async close() {
      clearInterval(timer);
      await flush(true).then(reportSuccess, onError);
    },
  };
}

/** Creates the buffer of a recorder: `record` adds to it, `write` stores it. */
function createWriter(store: UsageStore, now: () => number, onWriteStart = () => {}) {
  let buffer = createBuffer();
  /** Taken from the buffer by a flush and not stored yet. */
  let pending = createBuffer();
  const lastUse = createLastUse();
  const minuteRows = new MinuteRows();
  const maxKeys = store.rowsPerBatch ?? MAX_PORTION_KEYS;
  /** When the first request of `buffer` and of what a flush has taken was recorded. */
  let bufferSinceMs: number | null = null;
  let pendingSinceMs: number | null = null;
  let lostRows = 0;

  let lost = 0;
  /** Failed to be stored, or was stored without an acknowledgement: added again before all others. */
  let unsettled: UsageBatch | null = null;

  async function storeBatch(batch: UsageBatch): Promise<void> {
    unsettled = batch;
    await store.addUsage(batch);
    unsettled = null;
    lastUse.recordWritten(batch.lastUsed, now());
  }

  /** Stores portions one by one, each in a transaction: requests and other writers run in between. */
  async function writePortions(isLast: boolean): Promise<void> {
    if (unsettled) await storeBatch(unsettled);
    for (;;) {
      const portion = takePortion(pending, store.rowsPerBatch);
      const lastUsed = lastUse.takeDue(now(), isLast, maxKeys);
      if (isEmpty(portion) && lastUsed.size === 0) return;
      await storeBatch({ ...toBatch(portion, minuteRows), lastUsed });
      // Keys that are first used meanwhile wait for the next flush: with them this one might not end.
      if (isDrained(pending) && lastUsed.size < maxKeys) return;
      await setImmediate();
    }
  }

  return {
    record(event: UsageEvent): void {
      addEvent(buffer, event);
      bufferSinceMs ??= event.atMs;
      lastUse.record(event.keyId, event.atMs);
    },
    async write(isLast: boolean): Promise<void> {
      onWriteStart();
      const taken = buffer;
      buffer = createBuffer();
      pendingSinceMs ??= bufferSinceMs;
      bufferSinceMs = null;
      if (isDrained(pending)) pending = taken;
      else if (countRows(pending) < MAX_KEPT_COUNTS) await mergeBuffers(pending, taken);
      else {
        lost += countRequests(taken);
        lostRows += countRows(taken);
      }
      await writePortions(isLast);
      pendingSinceMs = null;
    },
    /** Returns the number of requests that were lost since the last call. */
    takeLost(): number {
      const count = lost;
      lost = 0;
      return count;
    },
    getState: (): UsageState => ({
      unwrittenSinceMs: pendingSinceMs ?? bufferSinceMs,
      bufferedRows: countRows(buffer) + countRows(pending) + (unsettled?.counts.length ?? 0),
      lostRows,
    }),
  };
}

/** Creates the function that deletes expired counts and log lines, at most once an hour. */
function createPruner(store: UsageStore, now: () => number): () => Promise<void> {
  let prunedAtMs = -Infinity;
  return async () => {
    if (now() - prunedAtMs < PRUNE_INTERVAL_MS) return;
    prunedAtMs = now();
    await store.pruneUsage(computeRetention(now()));
  };
}

/** The interval at which the last use of a busy key is written. */
const INTERVAL_MS = 60_000;
/** Keys examined per key that may be due. Idle keys are forgotten by this, a bounded number per call. */
const EXAMINED_PER_KEY = 10;

interface WrittenUse {
  /** The last use, which may not be written yet. */
  atMs: number;
  /** The use that is written. */
  storedMs: number;
  /** The time of writing. */
  writtenMs: number;
}

/**
 * Creates the record of when each key was last used. A use is due at the key's first request and then once a
 * minute, so that thousands of busy keys do not cause thousands of writes per second. The cost of each call
 * depends on the keys that it returns, not on all keys.
 */
export function createLastUse() {
  /** Keys whose use is written with the next flush. */
  const unwritten = new Map<string, number>();
  /** Keys whose use was written, in the order of writing: the first is due first. */
  const written = new Map<string, WrittenUse>();

  function add(keyId: string, atMs: number): void {
    const knownMs = unwritten.get(keyId);
    if (knownMs === undefined || knownMs < atMs) unwritten.set(keyId, atMs);
  }

  return {
    record(keyId: string, atMs: number): void {
      const use = written.get(keyId);
      if (!use) add(keyId, atMs);
      else if (atMs > use.atMs) use.atMs = atMs;
    },
    /**
     * Removes and returns at most `limit` uses to write now: first uses, and uses of keys written over a
     * minute ago; with `isLast`, all unwritten uses. Forgets keys that were idle for a minute.
     */
    takeDue(nowMs: number, isLast: boolean, limit: number): Map<string, number> {
      const due = new Map<string, number>();
      for (const [keyId, atMs] of unwritten) {
        if (due.size >= limit) return due;
        unwritten.delete(keyId);
        due.set(keyId, atMs);
      }
      let left = isLast ? Infinity : limit * EXAMINED_PER_KEY;
      for (const [keyId, { atMs, storedMs, writtenMs }] of written) {
        if (due.size >= limit || left <= 0 || (!isLast && nowMs - writtenMs < INTERVAL_MS)) return due;
        left -= 1;
        written.delete(keyId);
        if (atMs > storedMs) due.set(keyId, atMs);
      }
      return due;
    },
    /** Records that these uses were written. */
    recordWritten(due: ReadonlyMap<string, number>, nowMs: number): void {
      for (const [keyId, storedMs] of due) {
        const atMs = unwritten.get(keyId) ?? storedMs;
        unwritten.delete(keyId);
        written.set(keyId, { atMs, storedMs, writtenMs: nowMs });
      }
    },
  };
}
