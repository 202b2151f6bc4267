import { setImmediate } from 'node:timers/promises';
import { createLastUse } from './last-use.ts';
import {
  addEvent,
  countRows,
  createBuffer,
  isDrained,
  isEmpty,
  mergeBuffers,
  putBack,
  takePortion,
  toBatch,
  type UsageEvent,
} from './usage-buffer.ts';
import type { UsageStore } from './usage-store.ts';

export interface UsageRecorderOptions {
  store: UsageStore;
  now: () => number;
  /** How often the buffer is written, in milliseconds. */
  flushIntervalMs?: number;
  /** Called where a flush failed; what it held is tried again with the next. */
  onError?: (error: unknown) => void;
}

export interface UsageRecorder {
  /** Takes note of a request; writes nothing. */
  record: (event: UsageEvent) => void;
  /** Writes what is buffered. Rejects where the database cannot take it; the counts are kept. */
  flush: () => Promise<void>;
  /** Writes what is buffered for the last time; a failure is told to `onError`. */
  close: () => Promise<void>;
}

/** Counts that are kept while the database cannot take them. If there are more, new ones are lost, for memory has an end. */
const MAX_KEPT_COUNTS = 200_000;
/** Last uses that one transaction writes. */
const MAX_PORTION_KEYS = 250;
const PRUNE_INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The whole log's bound: about 500 MB of database. */
const MAX_LOGGED_REQUESTS = 2_000_000;

/** Counts requests in memory and writes them once a second, and what is too old away once an hour. */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { store, now, flushIntervalMs = 1_000, onError = () => {} } = options;
  let buffer = createBuffer();
  /** What a flush took from the buffer and has not stored yet. */
  let pending = createBuffer();
  let flushing: Promise<void> = Promise.resolve();
  const lastUse = createLastUse();
  let isTicking = false;
  let isClosing = false;
  let prunedAtMs = -Infinity;

  /** Portions are stored one by one, each all or nothing: requests are answered and other writers have their turn in between. */
  async function writePortions(): Promise<void> {
    for (;;) {
      const portion = takePortion(pending);
      const due = lastUse.takeDue(now(), isClosing, MAX_PORTION_KEYS);
      if (isEmpty(portion) && due.size === 0) return;
      try {
        await store.addUsage({ ...toBatch(portion), lastUsed: due });
      } catch (error) {
        putBack(pending, portion);
        lastUse.putBack(due);
        throw error;
      }
      lastUse.recordWritten(due, now());
      // Keys that are used for the first time meanwhile wait for the next flush: they alone would not let this one end.
      if (isDrained(pending) && due.size < MAX_PORTION_KEYS) return;
      await setImmediate();
    }
  }

  async function write(): Promise<void> {
    const taken = buffer;
    buffer = createBuffer();
    if (isDrained(pending)) pending = taken;
    else if (countRows(pending) < MAX_KEPT_COUNTS) await mergeBuffers(pending, taken);
    await writePortions();
    if (now() - prunedAtMs < PRUNE_INTERVAL_MS) return;
    prunedAtMs = now();
    await store.pruneUsage({
      minutesBeforeMs: now() - 7 * DAY_MS,
      countsBeforeMs: now() - 90 * DAY_MS,
      requestsBeforeMs: now() - 7 * DAY_MS,
      maxRequests: MAX_LOGGED_REQUESTS,
    });
  }

  function flush(): Promise<void> {
    const begun = flushing.catch(() => {}).then(write);
    flushing = begun;
    return begun;
  }

  const timer = setInterval(() => {
    if (isTicking) return;
    isTicking = true;
    flush()
      .catch(onError)
      .finally(() => {
        isTicking = false;
      });
  }, flushIntervalMs);
  timer.unref();
  return {
    record(event) {
      addEvent(buffer, event);
      lastUse.record(event.keyId, event.atMs);
    },
    flush,
    async close() {
      clearInterval(timer);
      isClosing = true;
      await flush().catch(onError);
    },
  };
}
