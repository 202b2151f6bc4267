import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { WorkerFailure } from './worker-queue.ts';
import { WorkerPool } from './worker-pool.ts';

const SERVE_JOBS = new URL('./serve-jobs.ts', import.meta.url).href;
const CODE = `
  import { threadId } from 'node:worker_threads';
  import { serveJobs } from '${SERVE_JOBS}';
  serveJobs((text) => { while (text === 'loop'); return threadId; });
`;

function openPool(idleMs = 60_000) {
  const pool = new WorkerPool<string, number>({
    module: new URL(`data:text/javascript,${encodeURIComponent(CODE)}`),
    name: 'test',
    heapMb: 48,
    idleMs,
    endsOnAbort: true,
  });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}

void describe('a pool of threads', () => {
  void it('starts none before the first job, and uses a free one again', async () => {
    await using pool = openPool();
    assert.equal(pool.threads, 0);
    const first = await pool.run('x');
    assert.equal(await pool.run('x'), first);
    assert.equal(pool.threads, 1);
  });

  void it('lets no job wait for another', async () => {
    await using pool = openPool();
    const gone = new AbortController();
    const stuck = pool.run('loop', { signal: gone.signal });
    const others = await Promise.all([pool.run('x'), pool.run('x')]);
    assert.equal(new Set(others).size, 2);
    assert.equal(pool.threads, 3);
    gone.abort(new Error('gone'));
    await assert.rejects(stuck, /gone/);
    assert.equal(pool.threads, 2, 'its thread ended');
    await Promise.all([pool.run('x'), pool.run('x'), pool.run('x')]);
    assert.equal(pool.threads, 3, 'and another replaces it');
  });

  void it('ends the threads that are idle', async () => {
    await using pool = openPool(1);
    await Promise.all([pool.run('x'), pool.run('x')]);
    for (let n = 0; n < 500 && pool.threads > 0; n += 1) await wait(20);
    assert.equal(pool.threads, 0);
  });

  void it('fails its jobs when it is closed, and those that come later', async () => {
    const pool = openPool();
    const jobs = Promise.allSettled([pool.run('loop'), pool.run('loop')]);
    await pool.close();
    for (const job of await jobs)
      assert.ok(job.status === 'rejected' && (job.reason as WorkerFailure).reason === 'closed');
    await assert.rejects(pool.run('x'), WorkerFailure);
    assert.equal(pool.threads, 0);
  });
});
