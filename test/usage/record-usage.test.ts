import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openStorage, type Storage } from '#storage';
import {
  createUsageRecorder,
  computePercentile,
  type UsageEvent,
  type UsageOutage,
  type UsageStore,
} from '#usage';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 5, 1, 23, 59, 58);

describe('usage is counted', () => {
  let storage: Storage;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'usage-'));
    storage = await openStorage({ dataDir });
  });
  after(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  const event = (changes: Partial<UsageEvent> = {}): UsageEvent => ({
    keyId: 'key_1',
    accountId: 'acc_1',
    operation: 'validateEmail',
    status: 200,
    ms: 12.4,
    requestId: 'r',
    atMs: START,
    ...changes,
  });
  const sum = async (accountId: string, bucketSize: 'minute' | 'hour' | 'day'): Promise<number[][]> => {
    const counts = await storage.usage.listUsage({ accountId, bucketSize, fromMs: 0, toMs: START * 2 });
    return counts.map(({ bucketStartMs, requests }) => [bucketStartMs, requests]);
  };

  it('by minute, hour and day, across midnight, over several flushes', async () => {
    const recorder = createUsageRecorder({
      store: storage.usage,
      now: () => START,
      flushIntervalMs: 3_600_000,
    });
    for (let n = 0; n < 500; n++) {
      recorder.record(event({ atMs: START + n * 10 }));
      if (n % 100 === 0) await recorder.flush();
    }
    await recorder.close();
    const midnight = Date.UTC(2026, 5, 2);
    assert.deepEqual(await sum('acc_1', 'minute'), [
      [midnight - 60_000, 200],
      [midnight, 300],
    ]);
    assert.deepEqual(await sum('acc_1', 'hour'), [
      [midnight - 3_600_000, 200],
      [midnight, 300],
    ]);
    assert.deepEqual(await sum('acc_1', 'day'), [
      [midnight - DAY_MS, 200],
      [midnight, 300],
    ]);
    const { requests } = await storage.usage.listRequests({ accountId: 'acc_1', limit: 200 });
    assert.equal(requests.length, 200);
    assert.deepEqual(requests[0], { id: requests[0]?.id, ...event({ atMs: START + 4990, ms: 12 }) });
    const ids = requests.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted().reverse());
  });

  it('by ten concurrent writers without loss', async () => {
    const recorders = Array.from({ length: 10 }, () =>
      createUsageRecorder({ store: storage.usage, now: () => START, flushIntervalMs: 3_600_000 }),
    );
    await Promise.all(
      recorders.map(async (recorder) => {
        for (let n = 0; n < 50; n++) {
          recorder.record(event({ accountId: 'acc_many' }));
          if (n % 10 === 0) await recorder.flush();
        }
        await recorder.close();
      }),
    );
    assert.deepEqual(
      (await sum('acc_many', 'day')).map(([, requests]) => requests),
      [500],
    );
  });

  it('by more keys than one transaction stores', async () => {
    const recorder = createUsageRecorder({
      store: storage.usage,
      now: () => START,
      flushIntervalMs: 3_600_000,
    });
    for (const times of [1, 2]) {
      for (let n = 0; n < 300; n++) recorder.record(event({ accountId: 'acc_keys', keyId: `key_${n}` }));
      await recorder.flush();
      const counts = (await sum('acc_keys', 'day')).map(([, requests]) => requests);
      assert.deepEqual(counts, Array<number>(300).fill(times));
    }
    await recorder.close();
  });

  it('by more operations of a key than one transaction stores', async () => {
    const recorder = createUsageRecorder({
      store: storage.usage,
      now: () => START,
      flushIntervalMs: 3_600_000,
    });
    for (let n = 0; n < 251; n++)
      recorder.record(event({ accountId: 'acc_operations', operation: `operation ${n}` }));
    await recorder.flush();
    assert.equal((await sum('acc_operations', 'day')).length, 251);
    await recorder.close();
  });

  it('at each interval', async () => {
    const recorder = createUsageRecorder({ store: storage.usage, now: () => START, flushIntervalMs: 1 });
    for (const times of [1, 2]) {
      recorder.record(event({ accountId: 'acc_often' }));
      // The test's time limit ends this loop if nothing is stored.
      while ((await sum('acc_often', 'day'))[0]?.[1] !== times) await setImmediate();
    }
    await recorder.close();
  });

  it('after a failed flush with the next one, and requests of the meantime once', async () => {
    const state = { isFailing: true, onFailure: () => {} };
    const store: UsageStore = {
      ...storage.usage,
      addUsage: async (batch) => {
        if (state.isFailing) {
          state.onFailure();
          throw new Error('away');
        }
        return storage.usage.addUsage(batch);
      },
    };
    const errors: unknown[] = [];
    const recorder = createUsageRecorder({
      store,
      now: () => START,
      flushIntervalMs: 3_600_000,
      onError: (error) => errors.push(error),
    });
    recorder.record(event({ accountId: 'acc_away' }));
    // While the flush fails, another request is recorded.
    state.onFailure = () => recorder.record(event({ accountId: 'acc_away' }));
    const failing = recorder.flush();
    await assert.rejects(failing, /away/);
    state.onFailure = () => {};
    recorder.record(event({ accountId: 'acc_away' }));
    state.isFailing = false;
    await recorder.flush();
    assert.deepEqual(
      (await sum('acc_away', 'day')).map(([, requests]) => requests),
      [3],
    );
    assert.equal((await storage.usage.listRequests({ accountId: 'acc_away', limit: 10 })).requests.length, 3);
    state.isFailing = true;
    recorder.record(event({ accountId: 'acc_away' }));
    await recorder.close();
    assert.equal(errors.length, 1);
  });

  it('an outage is reported once at its start and once at its end, with what it lost', async () => {
    const state = { isFailing: true, writes: 0 };
    const store: UsageStore = {
      ...storage.usage,
      addUsage: async (batch) => {
        state.writes += 1;
        if (state.isFailing) throw new Error('away');
        return storage.usage.addUsage(batch);
      },
    };
    const reports: (string | UsageOutage)[] = [];
    const recorder = createUsageRecorder({
      store,
      now: () => START,
      flushIntervalMs: 1,
      onError: (error) => reports.push((error as Error).message),
      onRecover: (outage) => reports.push(outage),
    });
    recorder.record(event({ accountId: 'acc_outage' }));
    while (state.writes < 5) await setImmediate();
    assert.deepEqual([...reports], ['away']);
    state.isFailing = false;
    while (reports.length < 2) await setImmediate();
    await recorder.close();
    const outage = reports[1];
    assert.ok(typeof outage === 'object');
    const { failedWrites, lostRequests } = outage;
    assert.ok(failedWrites >= 4 && failedWrites <= state.writes, String(failedWrites));
    assert.equal(lostRequests, 0);
    assert.equal(reports.length, 2);
  });

  it('with the last use of a busy key: first immediately, then once a minute, and at the end', async () => {
    const writes: number[] = [];
    const store: UsageStore = {
      ...storage.usage,
      addUsage: async ({ lastUsed }) => void writes.push(...lastUsed.values()),
    };
    const clock = { ms: START };
    const recorder = createUsageRecorder({ store, now: () => clock.ms, flushIntervalMs: 3_600_000 });
    for (let second = 0; second < 130; second++) {
      clock.ms = START + second * 1_000;
      recorder.record(event({ atMs: clock.ms }));
      await recorder.flush();
    }
    await recorder.close();
    assert.deepEqual(
      writes.map((ms) => (ms - START) / 1_000),
      [0, 60, 120, 129],
    );
  });

  it('and kept: minutes and the log for 7 days, hours and days for 90, months for 25 months', async () => {
    const clock = { ms: START };
    const recorder = createUsageRecorder({
      store: storage.usage,
      now: () => clock.ms,
      flushIntervalMs: 3_600_000,
    });
    const countAll = async () => [
      (await sum('acc_old', 'minute')).length,
      (await sum('acc_old', 'hour')).length,
      ...(await Promise.all(
        (['hour', 'day'] as const).flatMap((bucketSize) => {
          const query = { accountId: 'acc_old', bucketSize, fromMs: 0, toMs: START * 2 };
          return [
            storage.usage.listLatencies(query).then(({ length }) => length),
            storage.usage.sumErrors(query).then(({ length }) => length),
          ];
        }),
      )),
      (await storage.usage.listMonths('acc_old', 0, START * 2)).length,
      (await storage.usage.listRequests({ accountId: 'acc_old', limit: 10 })).requests.length,
    ];
    recorder.record(event({ accountId: 'acc_old', error: 'timeout', status: 408 }));
    await recorder.flush();
    assert.deepEqual(await countAll(), [1, 1, 1, 1, 1, 1, 1, 1]);
    clock.ms = START + 7 * DAY_MS + 120_000;
    await recorder.flush();
    assert.deepEqual(await countAll(), [0, 1, 1, 1, 1, 1, 1, 0]);
    clock.ms = START + 91 * DAY_MS;
    await recorder.flush();
    assert.deepEqual(await countAll(), [0, 0, 0, 0, 0, 0, 1, 0]);
    clock.ms = Date.UTC(2028, 5, 1);
    await recorder.flush();
    assert.deepEqual((await countAll()).at(-2), 1);
    clock.ms = Date.UTC(2028, 6, 3);
    await recorder.flush();
    assert.deepEqual((await countAll()).at(-2), 0);
    await recorder.close();
  });

  it('and logged up to a limit: the oldest lines are deleted first', async () => {
    const accountId = 'acc_log';
    const lines = Array.from({ length: 300 }, (_, n) => event({ accountId, requestId: `r${n}` }));
    await storage.usage.addUsage({
      counts: [],
      latencies: [],
      errors: [],
      months: [],
      requests: lines,
      lastUsed: new Map(),
    });
    await storage.usage.pruneUsage({
      minutesBeforeMs: 0,
      countsBeforeMs: 0,
      monthsBeforeMs: 0,
      requestsBeforeMs: 0,
      maxRequests: 40,
    });
    const { requests } = await storage.usage.listRequests({ accountId, limit: 200 });
    assert.equal(requests.length, 40);
    assert.equal(requests[0]?.requestId, 'r299');
    assert.equal(requests.at(-1)?.requestId, 'r260');
  });

  it('with latencies whose percentiles are too high by at most a fifth', async () => {
    const recorder = createUsageRecorder({
      store: storage.usage,
      now: () => START,
      flushIntervalMs: 3_600_000,
    });
    for (let ms = 1; ms <= 1_000; ms++) recorder.record(event({ accountId: 'acc_slow', ms }));
    await recorder.close();
    const latencies = await storage.usage.listLatencies({
      accountId: 'acc_slow',
      bucketSize: 'hour',
      fromMs: 0,
      toMs: START * 2,
    });
    for (const share of [0.5, 0.95, 0.99]) {
      const percentile = computePercentile(latencies, share) ?? 0;
      assert.ok(percentile >= share * 1_000 && percentile <= share * 1_000 * 1.21, `${share}: ${percentile}`);
    }
    assert.equal(computePercentile([], 0.95), null);
  });
});
