/** The migration that adds the details of requests, and the plans of the queries of the log. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { Kysely } from 'kysely';
import { openStorage } from '#storage';
import { migrateTo } from '../../src/storage/sql/migrate.ts';
import { createUsageStore } from '../../src/storage/sql/usage-store.ts';
import type { Schema } from '../../src/storage/sql/schema.ts';
import { createSqliteDialect } from '../../src/storage/sqlite/sqlite-driver.ts';

const DAY_MS = 86_400_000;

describe('a database of the first release', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'details-'));
  });
  after(() => rm(dataDir, { recursive: true }));

  it('gets the months and the daily latencies of the counts that it has, and keeps its log', async () => {
    const db = new Kysely<Schema>({ dialect: createSqliteDialect(join(dataDir, 'utility-api.db')) });
    await migrateTo(db, '0004-usage-batches');
    const sqlite = new DatabaseSync(join(dataDir, 'utility-api.db'));
    const march = Date.UTC(2026, 2, 31);
    const count = sqlite.prepare(
      "insert into usage_counts values ('acc', ?, ?, 'key', 'validateEmail', ?, ?)",
    );
    count.run('day', march, '2xx', 5);
    count.run('hour', march, '2xx', 5);
    count.run('day', march + DAY_MS, '2xx', 7);
    count.run('day', march + 2 * DAY_MS, '429', 2);
    count.run('day', march + 2 * DAY_MS, '5xx', 1);
    const latency = sqlite.prepare("insert into usage_latencies values ('acc', ?, 'validateEmail', 5, 2)");
    latency.run(march);
    latency.run(march + 3_600_000);
    sqlite.exec("insert into usage_requests values ('1', 'acc', 'key', 'validateEmail', 408, 5, 'r-1', 1)");
    sqlite.close();
    await db.destroy();

    const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
    const months = await storage.usage.listMonths('acc', 0, march * 2);
    const shared = { accountId: 'acc', operation: 'validateEmail' };
    assert.deepEqual(months, [
      { ...shared, monthStartMs: Date.UTC(2026, 2), requests: 5, errors: 0, units: 5 },
      { ...shared, monthStartMs: Date.UTC(2026, 3), requests: 10, errors: 3, units: 8 },
    ]);
    const days = { accountId: 'acc', bucketSize: 'day', fromMs: 0, toMs: march * 2 } as const;
    assert.deepEqual(
      (await storage.usage.listLatencies(days)).map(({ bucketStartMs, requests }) => [
        bucketStartMs,
        requests,
      ]),
      [[march, 4]],
    );
    const query = { accountId: 'acc', statuses: [[400, 499]], limit: 10 } as const;
    assert.equal((await storage.usage.listRequests(query)).requests.length, 1);
    assert.equal((await storage.usage.findRequest('r-1', 'acc'))?.error, undefined);
    await storage.close();
  });
});

describe('the queries of the log', () => {
  let dataDir: string;
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'plans-'));
  });
  after(() => rm(dataDir, { recursive: true }));

  it('read an index in the order of the log: that of failed requests if no others are wanted', async () => {
    const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
    await storage.close();
    const dialect = createSqliteDialect(join(dataDir, 'utility-api.db'));
    const db = new Kysely<Schema>({
      dialect,
      log: ({ query }) => void statements.push({ sql: query.sql, parameters: query.parameters }),
    });
    const { listRequests, findRequest, countRequests } = await import('../../src/storage/sql/request-log.ts');
    const filter = { accountId: 'acc', limit: 10, fromMs: 1, toMs: 2, beforeId: '9' };
    await listRequests(db, filter);
    await listRequests(db, { ...filter, statuses: [[400, 499]] });
    await listRequests(db, { ...filter, errors: ['timeout'], keyIds: ['k'] });
    await findRequest(db, 'r-1', 'acc');
    const lookedUp = statements.length;
    await listRequests(db, { ...filter, afterId: '1' });
    await listRequests(db, { ...filter, afterId: '0' });
    await countRequests(db, { ...filter, afterId: '1', bucketMs: 60_000 } as never);
    await db.destroy();
    const sqlite = new DatabaseSync(join(dataDir, 'utility-api.db'));
    const plans = statements.map(({ sql, parameters }) =>
      sqlite
        .prepare(`explain query plan ${sql}`)
        .all(...(parameters as string[]))
        .map((row) => String(row['detail']))
        .join('; '),
    );
    sqlite.close();
    for (const { sql } of statements)
      for (const bound of [/"id" >/g, /"id" </g])
        assert.ok([...sql.matchAll(bound)].length <= 1, `SQLite seeks one bound on a side: ${sql}`);
    const indexes = plans
      .slice(0, lookedUp)
      .map((plan) => /USING (?:COVERING )?INDEX (\w+) \(/.exec(plan)?.[1]);
    assert.deepEqual(indexes, [
      'usage_requests_by_account',
      'usage_requests_by_account',
      'usage_requests_failed',
      'usage_requests_failed',
      'usage_requests_failed',
      'usage_requests_failed',
      'usage_requests_by_request_id',
    ]);
    for (const plan of plans.slice(0, 6)) assert.doesNotMatch(plan, /TEMP B-TREE|SCAN/, plan);
  });
});

describe('the counts of an account', () => {
  const HOUR_MS = 3_600_000;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steps-'));
  });
  after(() => rm(dataDir, { recursive: true }));

  it('are read 12 buckets at a time, between which other work runs, and without those of empty times', async () => {
    await (await openStorage({ dataDir, watchIntervalMs: 0 })).close();
    const sqlite = new DatabaseSync(join(dataDir, 'utility-api.db'));
    const march = Date.UTC(2026, 2, 1);
    sqlite.exec('begin');
    const hours = [...Array.from({ length: 100 }, (_, n) => n), 5_000, 5_011, 5_012];
    for (const hour of hours) {
      const at = march + hour * HOUR_MS;
      for (const key of ['a', 'b'])
        for (const [table, columns] of [
          ['usage_counts', `'hour', ${at}, '${key}', 'op', '2xx', 1`],
          ['usage_errors', `'hour', ${at}, '${key}', 'op', 'timeout', 1`],
          ['usage_latencies', `${at}, 'op', ${key === 'a' ? 1 : 2}, 1`],
        ])
          sqlite.exec(`insert into ${table} values ('acc', ${columns})`);
    }
    sqlite.exec('commit');
    sqlite.close();
    const ranges: number[] = [];
    const statements: string[] = [];
    const db = new Kysely<Schema>({
      dialect: createSqliteDialect(join(dataDir, 'utility-api.db')),
      log: ({ query: { sql, parameters } }) => {
        statements.push(sql);
        const [fromMs = 0, toMs = 0] = parameters.filter((value) => typeof value === 'number');
        if (!sql.includes('min(bucket_start)')) ranges.push(toMs - fromMs);
      },
    });
    const store = createUsageStore(
      db,
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    const query = { accountId: 'acc', bucketSize: 'hour', fromMs: 0, toMs: march * 2 } as const;
    for (const load of [
      store.listUsage,
      store.sumUsage,
      store.sumByKey,
      store.sumErrors,
      store.listLatencies,
    ]) {
      const before = statements.length;
      let turns = 0;
      let next: NodeJS.Immediate;
      const count = (): void => {
        turns += 1;
        next = setImmediate(count);
      };
      next = setImmediate(count);
      const rows = await load(query);
      clearImmediate(next);
      const starts = rows.map(({ bucketStartMs }) => (bucketStartMs - march) / HOUR_MS);
      assert.deepEqual([...new Set(starts)], hours, 'oldest first');
      assert.equal(
        rows.reduce((sum, { requests }) => sum + requests, 0),
        2 * hours.length,
      );
      // 100 hours and the two parts after a time without rows; each is found, and then read.
      assert.equal(statements.length - before, 2 * (9 + 2) + 1);
      assert.ok(turns >= 11, `${turns} turns`);
    }
    assert.ok(ranges.length > 0 && Math.max(...ranges) <= 12 * HOUR_MS);
    await db.destroy();
  });
});
