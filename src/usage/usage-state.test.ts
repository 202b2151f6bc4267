import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createUsageRecorder } from './record-usage.ts';
import type { UsageEvent } from './usage-buffer.ts';
import type { UsageStore } from './usage-store.ts';

const EVENT: Omit<UsageEvent, 'atMs' | 'keyId'> = {
  accountId: 'a',
  operation: 'validateEmail',
  status: 200,
  ms: 1,
  requestId: 'r',
};

/** Returns a recorder whose store fails while `store.isFailing`; the test flushes it. */
function openRecorder() {
  const store = { isFailing: false };
  const recorder = createUsageRecorder({
    store: {
      addUsage: async () => {
        if (store.isFailing) throw new Error('no database');
      },
      pruneUsage: async () => {},
    } as unknown as UsageStore,
    now: () => 100_000,
    flushIntervalMs: 1_000_000,
  });
  return { store, recorder };
}

it('the state of usage: since when it is not written, and how many rows, also while writes fail', async () => {
  const { store, recorder } = openRecorder();
  assert.deepEqual(recorder.getState(), { unwrittenSinceMs: null, bufferedRows: 0, lostRows: 0 });
  recorder.record({ ...EVENT, keyId: 'k1', atMs: 61_000 });
  recorder.record({ ...EVENT, keyId: 'k2', atMs: 62_000 });
  assert.deepEqual(recorder.getState(), { unwrittenSinceMs: 61_000, bufferedRows: 2, lostRows: 0 });
  store.isFailing = true;
  await assert.rejects(recorder.flush());
  recorder.record({ ...EVENT, keyId: 'k3', atMs: 63_000 });
  await assert.rejects(recorder.flush());
  const failing = recorder.getState();
  assert.equal(failing.unwrittenSinceMs, 61_000);
  assert.ok(failing.bufferedRows >= 3);
  store.isFailing = false;
  await recorder.flush();
  assert.deepEqual(recorder.getState(), { unwrittenSinceMs: null, bufferedRows: 0, lostRows: 0 });
  await recorder.close();
});

const skip = process.env['TEST_FULL'] === '1' ? false : 'fills memory with 200,000 counts: TEST_FULL=1';

it('counts that do not fit while the database fails are counted as lost', { skip }, async () => {
  const { store, recorder } = openRecorder();
  store.isFailing = true;
  for (let n = 0; n < 200_500; n += 1) recorder.record({ ...EVENT, keyId: `k${n}`, atMs: 61_000 });
  await assert.rejects(recorder.flush());
  recorder.record({ ...EVENT, keyId: 'one more', atMs: 62_000 });
  await assert.rejects(recorder.flush());
  assert.equal(recorder.getState().lostRows, 1);
  await recorder.close();
});
