/** Storing usage does not block the event loop: CPU time of one turn, the best of several runs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openStorage } from '#storage';
import type { Measurement, Turns } from './measure-turns.ts';
import {
  FAILURES_START,
  KEYS,
  MINUTE_MS,
  openDatabase,
  RUNS,
  START,
  storeKeys,
} from './ten-thousand-keys.ts';

const MAX_TURN_MS = 20;
const ROWS_PER_TURN = 100;

describe('usage of 10,000 keys in one second', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'usage-turns-'));
    const storage = await openStorage({ dataDir });
    await storage.close();
    storeKeys(dataDir);
  });
  after(() => rm(dataDir, { recursive: true }));

  const measure = async (measurement: Measurement): Promise<Turns> => {
    const worker = new Worker(new URL('measure-turns.ts', import.meta.url), {
      workerData: { dataDir, measurement },
    });
    const [[turns]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [
      [Turns],
      [number],
    ];
    return turns;
  };

  const find = (query: string): Record<string, unknown> => {
    const db = openDatabase(dataDir, { readOnly: true });
    const row = { ...db.prepare(query).get() };
    db.close();
    return row;
  };

  it('a flush takes less than 20 ms of one turn, and counts every request once', async () => {
    const turns = await measure('flush');
    assert.deepEqual(
      find(
        "select count(*) as keys, min(requests) as least, max(requests) as most from usage_counts where bucket_size = 'hour'",
      ),
      { keys: KEYS, least: RUNS, most: RUNS },
    );
    assert.deepEqual(
      find("select sum(requests) as requests from usage_counts where bucket_size = 'minute'"),
      { requests: KEYS * RUNS },
    );
    assert.deepEqual(find('select sum(requests) as requests from usage_latencies'), {
      requests: KEYS * RUNS,
    });
    assert.deepEqual(
      find(`select count(*) as keys from api_keys where last_used_at = ${START + (RUNS - 1) * MINUTE_MS}`),
      { keys: KEYS },
    );
    assertShort(turns);
    // Each key has three counts: by minute, hour and day.
    assert.ok(Math.min(...turns.counts) > (KEYS * 3) / ROWS_PER_TURN, `in ${turns.counts.join(', ')} turns`);
  });

  it('failed flushes take as little, and their requests are counted once when a flush succeeds', async () => {
    const turns = await measure('failure');
    assert.deepEqual(
      find(
        `select count(*) as keys, min(requests) as least, max(requests) as most from usage_counts where bucket_size = 'hour' and bucket_start >= ${FAILURES_START}`,
      ),
      { keys: KEYS, least: RUNS, most: RUNS },
    );
    assertShort(turns);
  });

  it('expired rows are deleted in turns as short', async () => {
    const turns = await measure('prune');
    assert.deepEqual(
      find(
        `select count(*) as minutes from usage_counts where bucket_size = 'minute' and bucket_start < ${FAILURES_START}`,
      ),
      { minutes: 0 },
    );
    assertShort(turns);
  });

  it('the log is deleted when its lines expire', async () => {
    const storage = await openStorage({ dataDir });
    const limits = {
      minutesBeforeMs: 0,
      countsBeforeMs: 1e15,
      monthsBeforeMs: 0,
      requestsBeforeMs: 1e15,
      maxRequests: 1e9,
    };
    await storage.usage.pruneUsage(limits);
    await storage.close();
    assert.deepEqual(find('select count(*) as lines from usage_requests'), { lines: 0 });
  });
});

/** The largest turn of the best run counts: garbage collections may be in some of them. */
function assertShort({ largestMs }: Turns): void {
  assert.ok(Math.min(...largestMs) < MAX_TURN_MS, `CPU ms of the largest turns: ${largestMs.join(', ')}`);
}

it('a flush that fails halfway does not undo other writes, and keys are found meanwhile', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'usage-turns-'));
  const storage = await openStorage({ dataDir });
  const row = {
    accountId: 'acc',
    keyId: 'key',
    operation: 'validateEmail',
    statusClass: '2xx' as const,
    bucketSize: 'minute' as const,
    requests: 1,
  };
  const counts = Array.from({ length: 1_000 }, (_, n) => ({ ...row, bucketStartMs: n * 60_000 }));
  const bad = { ...row, bucketStartMs: 0, requests: null as unknown as number };
  const order: string[] = [];
  const flush = assert
    .rejects(
      storage.usage.addUsage({
        counts: [...counts, bad],
        latencies: [],
        errors: [],
        months: [],
        requests: [],
        lastUsed: new Map(),
      }),
    )
    .then(() => order.push('flush'));
  const write = storage.accounts
    .insertAccount({
      id: 'acc',
      email: 'ann@example.com',
      emailVerified: false,
      plan: 'free',
      admin: false,
      disabled: false,
      unproven: false,
      keysDisabledAtMs: null,
      createdAtMs: 0,
    })
    .then(() => order.push('write'));
  const find = storage.keys.findKeyBySecretHash('unknown').then(() => order.push('find'));
  await Promise.all([flush, write, find]);
  assert.deepEqual(order, ['find', 'flush', 'write']);
  assert.equal((await storage.accounts.findAccountByEmail('ann@example.com'))?.id, 'acc');
  assert.deepEqual(
    await storage.usage.listUsage({ accountId: 'acc', bucketSize: 'minute', fromMs: 0, toMs: 1e15 }),
    [],
  );
  await storage.close();
  await rm(dataDir, { recursive: true });
});
