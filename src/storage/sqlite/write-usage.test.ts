import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { UsageBatch } from '#usage';
import { Kysely } from 'kysely';
import { migrate } from '../sql/migrate.ts';
import type { Schema } from '../sql/schema.ts';
import { createSqliteDialect } from './sqlite-driver.ts';
import { createSqliteUsageWriter } from './write-usage.ts';

let folder: string;
let db: Kysely<Schema>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usage-store-'));
  db = new Kysely<Schema>({ dialect: createSqliteDialect(join(folder, 'test.db')) });
  await migrate(db);
});
after(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

/** A batch that writes so many rows. */
function createBatch(rows: number): UsageBatch {
  const keyIds = Array.from({ length: rows }, (_, index): [string, number] => [`key ${index}`, 1]);
  return { counts: [], latencies: [], errors: [], months: [], requests: [], lastUsed: new Map(keyIds) };
}

it('the write-ahead log is copied into the database once per 500 rows, so that it stays small', async () => {
  let checkpoints = 0;
  const { write } = createSqliteUsageWriter(db, () => {
    checkpoints += 1;
    return Promise.resolve();
  });
  await write(createBatch(499));
  assert.equal(checkpoints, 0);
  await write(createBatch(1));
  assert.equal(checkpoints, 1);
  await write(createBatch(499));
  assert.equal(checkpoints, 1);
  await write(createBatch(600));
  assert.equal(checkpoints, 2);
});
