import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { hashKeySecret, isKeySecret } from '#accounts';
import { openStorage } from '#storage';

const WRITER = new URL('./key-writer.ts', import.meta.url).pathname;
const ROUNDS = process.env['TEST_FULL'] === '1' ? 60 : 2;

async function withFolder(act: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'durability-'));
  try {
    await act(dataDir);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

type Writer = ChildProcessByStdio<null, Readable, null>;

function startWriter(...args: string[]): Writer {
  return spawn(process.execPath, [WRITER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Returns the complete lines of a writer and its exit code. `onLine` may kill it. */
async function readLines(
  writer: Writer,
  onLine: (lines: string[]) => void = () => {},
): Promise<{ lines: string[]; code: number | null }> {
  const lines: string[] = [];
  const closed = new Promise<number | null>((resolve) => writer.once('close', resolve));
  for await (const line of createInterface(writer.stdout)) {
    lines.push(line);
    onLine(lines);
  }
  return { lines, code: await closed };
}

describe('durability of responses', () => {
  it(`kill -9 while keys are created, ${ROUNDS} times: every key that was shown works, none is incomplete`, async () => {
    await withFolder(async (dataDir) => {
      const shown: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const writer = startWriter(dataDir);
        const { lines } = await readLines(writer, (soFar) => {
          if (soFar.length === 15 + ((round * 7) % 31)) writer.kill('SIGKILL');
        });
        shown.push(...lines.filter(isKeySecret));
      }
      assert.ok(shown.length >= ROUNDS * 14);
      const storage = await openStorage({ dataDir });
      for (const secret of shown)
        assert.ok(await storage.keys.findKeyBySecretHash(hashKeySecret(secret)), 'a key was lost');
      const keys = await storage.keys.listKeys(null);
      // Each kill may have happened between storing one key and printing it.
      assert.ok(keys.length - shown.length <= ROUNDS, `${keys.length} stored, ${shown.length} shown`);
      for (const key of keys) assert.ok(await storage.accounts.findAccount(key.accountId));
      await storage.close();
      const db = new DatabaseSync(join(dataDir, 'utility-api.db'));
      assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
      assert.deepEqual(db.prepare('pragma foreign_key_check').all(), []);
      db.close();
    });
  });

  it('four processes that start at the same time on an empty folder create one set of tables, and all write', async () => {
    await withFolder(async (dataDir) => {
      const runs = await Promise.all([1, 2, 3, 4].map(() => readLines(startWriter(dataDir, '25'))));
      assert.deepEqual(
        runs.map(({ code }) => code),
        [0, 0, 0, 0],
      );
      const storage = await openStorage({ dataDir });
      assert.equal((await storage.keys.listKeys(null)).length, 100);
      await storage.close();
      const db = new DatabaseSync(join(dataDir, 'utility-api.db'));
      const files = await readdir(new URL('../../src/storage/sql/migrations/', import.meta.url));
      const { count } = db.prepare('select count(*) as count from kysely_migration').get() ?? {};
      assert.equal(count, files.length, 'each migration ran once');
      db.close();
    });
  });

  it('a full disk causes 503 for writes; reads succeed, and the database works afterwards', async () => {
    await withFolder(async (dataDir) => {
      // A limit of the file size simulates the full disk: 2,200 blocks of 512 bytes (1,024 in some shells).
      const limited = spawn(
        '/bin/sh',
        ['-c', 'ulimit -f 2200; exec "$0" "$@"', process.execPath, WRITER, dataDir],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const { lines, code } = await readLines(limited);
      assert.equal(code, 0);
      assert.equal(lines.at(-1), 'refused true 503 30 1');
      const shown = lines.filter(isKeySecret);
      assert.ok(shown.length > 2);
      const again = await readLines(startWriter(dataDir, '5'));
      assert.equal(again.code, 0);
      const storage = await openStorage({ dataDir });
      for (const secret of shown) assert.ok(await storage.keys.findKeyBySecretHash(hashKeySecret(secret)));
      await storage.close();
    });
  });
});

describe('several processes on one database', () => {
  it('a write waits for another process’s lock without blocking the event loop', async () => {
    await withFolder(async (dataDir) => {
      const storage = await openStorage({ dataDir });
      const other = new DatabaseSync(join(dataDir, 'utility-api.db'));
      other.exec('begin immediate');
      let turns = 0;
      const ticks = setInterval(() => (turns += 1), 5);
      const write = storage.access.findOrCreateSecret('test', 'value');
      let isLocked = true;
      setTimeout(() => {
        other.exec('rollback');
        isLocked = false;
      }, 800);
      const startMs = performance.now();
      assert.equal(await storage.keys.findKey('key_none'), null);
      assert.ok(isLocked, 'a key is found while the lock is held');
      assert.equal(await write, 'value');
      clearInterval(ticks);
      assert.ok(performance.now() - startMs >= 700, 'it waited');
      // SQLite itself waits 20 ms at a time; pauses of up to 100 ms lie between.
      assert.ok(turns > 4, `the event loop turned ${turns} times`);
      other.close();
      await storage.close();
    });
  });

  it('a lock that is not released causes 503 after five seconds; reads succeed meanwhile', async () => {
    await withFolder(async (dataDir) => {
      const storage = await openStorage({ dataDir });
      const other = new DatabaseSync(join(dataDir, 'utility-api.db'));
      other.exec('begin immediate');
      await assert.rejects(storage.access.findOrCreateSecret('test', 'value'), {
        code: 'unavailable',
        retryAfterSeconds: 30,
      });
      assert.equal(await storage.accounts.findAccountByEmail('nobody@example.com'), null);
      assert.ok(await storage.isHealthy());
      other.exec('rollback');
      other.close();
      assert.equal(await storage.access.findOrCreateSecret('test', 'value'), 'value');
      await storage.close();
    });
  });

  it('a file that is no database is an error with its path, the reason and what to do', async () => {
    await withFolder(async (dataDir) => {
      await writeFile(join(dataDir, 'utility-api.db'), 'not a database, '.repeat(1_000));
      await assert.rejects(
        openStorage({ dataDir }),
        /^StorageStateError: The database .*utility-api\.db cannot be opened: file is not a database\. It is damaged: restore a backup with --replace \(.+\)$/,
      );
    });
  });

  it('a closed database is not healthy', async () => {
    await withFolder(async (dataDir) => {
      const storage = await openStorage({ dataDir });
      await storage.close();
      assert.equal(await storage.isHealthy(), false);
    });
  });

  it('usage written by another process does not empty the key cache; a change of an account does', async () => {
    await withFolder(async (dataDir) => {
      const here = await openStorage({ dataDir, watchIntervalMs: 10 });
      const there = await openStorage({ dataDir, watchIntervalMs: 0 });
      let notices = 0;
      const notified = new Promise<void>((resolve) =>
        here.onKeyChange(() => {
          notices += 1;
          resolve();
        }),
      );
      await there.usage.addUsage({
        counts: [
          {
            accountId: 'a',
            keyId: 'k',
            operation: 'o',
            statusClass: '2xx',
            bucketSize: 'day',
            bucketStartMs: 0,
            requests: 1,
          },
        ],
        latencies: [],
        errors: [],
        months: [],
        requests: [],
        lastUsed: new Map(),
      });
      // Long enough for several checks.
      await here.usage.listUsage({ accountId: 'a', bucketSize: 'day', fromMs: 0, toMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, 60));
      assert.equal(notices, 0);
      await there.accounts.insertAccount({
        id: 'a',
        email: 'a@example.com',
        emailVerified: false,
        plan: 'free',
        admin: false,
        disabled: false,
        unproven: false,
        keysDisabledAtMs: null,
        createdAtMs: 0,
      });
      await there.accounts.updateAccount('a', { disabled: true }, 1);
      await notified;
      await there.close();
      await here.close();
    });
  });
});
