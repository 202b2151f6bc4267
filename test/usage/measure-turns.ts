/**
 * A worker thread that stores usage and reports the largest turn of each run, in milliseconds of CPU. The
 * test runner observes every promise of its own thread, which takes longer than the work that is measured.
 */
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { openStorage, type Storage } from '#storage';
import { createUsageRecorder, type UsageStore } from '#usage';
import { startTurnMeter } from '../support/turn-meter.ts';
import { FAILURES_START, MINUTE_MS, recordAll, RUNS, START } from './ten-thousand-keys.ts';

const MEASUREMENTS = { flush: measureFlushes, failure: measureFailures, prune: measurePruning };
/** The turns of each run. */
export interface Turns {
  largestMs: number[];
  counts: number[];
}

export type Measurement = keyof typeof MEASUREMENTS;

const { dataDir, measurement } = workerData as { dataDir: string; measurement: Measurement };
const storage = await openStorage({ dataDir });
parentPort?.postMessage(await MEASUREMENTS[measurement](storage), []);
await storage.close();

/** Counts turns of the event loop until `stop` is called, which returns their number. */
function countTurns(): { stop: () => number } {
  let count = 0;
  let next = setImmediate(countOne);
  function countOne(): void {
    count += 1;
    next = setImmediate(countOne);
  }
  return {
    stop() {
      clearImmediate(next);
      return count;
    },
  };
}

async function measureTurns(
  act: (run: number) => Promise<unknown>,
  prepare: (run: number) => void = () => {},
): Promise<Turns> {
  const turns: Turns = { largestMs: [], counts: [] };
  for (let run = 0; run < RUNS; run += 1) {
    prepare(run);
    const meter = startTurnMeter();
    const counter = countTurns();
    await act(run);
    turns.counts.push(counter.stop());
    turns.largestMs.push(meter.stop());
  }
  return turns;
}

async function measureFlushes({ usage }: Storage): Promise<Turns> {
  const clock = { ms: START };
  const recorder = createUsageRecorder({ store: usage, now: () => clock.ms, flushIntervalMs: 1e9 });
  const turns = await measureTurns(
    () => recorder.flush(),
    (run) => {
      clock.ms = START + run * MINUTE_MS;
      recordAll(recorder, clock.ms);
    },
  );
  await recorder.close();
  return turns;
}

/** Stores the requests of all runs at the end. */
async function measureFailures({ usage }: Storage): Promise<Turns> {
  const state = { isFailing: true, portions: 0 };
  const store: UsageStore = {
    ...usage,
    addUsage: async (batch) => {
      // The database fails in the middle of each flush.
      state.portions += 1;
      if (state.isFailing && state.portions % 3 === 0) throw new Error('away');
      await usage.addUsage(batch);
    },
  };
  const recorder = createUsageRecorder({ store, now: () => FAILURES_START, flushIntervalMs: 1e9 });
  const turns = await measureTurns(
    () => assert.rejects(recorder.flush(), /away/),
    (run) => recordAll(recorder, FAILURES_START + run * MINUTE_MS),
  );
  state.isFailing = false;
  await recorder.flush();
  await recorder.close();
  return turns;
}

async function measurePruning({ usage }: Storage): Promise<Turns> {
  const limits = { countsBeforeMs: 0, monthsBeforeMs: 0, requestsBeforeMs: 0, maxRequests: 1e9 };
  return measureTurns((run) =>
    usage.pruneUsage({ ...limits, minutesBeforeMs: START + (run + 1) * MINUTE_MS }),
  );
}
