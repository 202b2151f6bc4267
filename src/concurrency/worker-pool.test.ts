import assert from 'node:assert/strict';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'node:test';
import {
  WorkerFailure,
  type WorkerFailureReason,
  type WorkerOptions,
  WorkerPool,
  WorkerThread,
} from './worker-pool.ts';
import { patientMs, scaledMs } from '../../test/support/patience.ts';

const SERVE_JOBS = new URL('./serve-jobs.ts', import.meta.url).href;

/** Opens a thread that runs `run`, a function from a text to its output. */
function openThread(run: string, overrides: Partial<WorkerOptions> = {}) {
  const code = `
    import { threadId } from 'node:worker_threads';
    import { serveJobs } from '${SERVE_JOBS}';
    serveJobs(${run});
  `;
  const thread = new WorkerThread<string, unknown>({
    module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    name: 'test',
    heapMb: 48,
    idleMs: 60_000,
    ...overrides,
  });
  return Object.assign(thread, { [Symbol.asyncDispose]: () => thread.close() });
}

const failsAs = (reason: WorkerFailureReason) => (error: unknown) =>
  error instanceof WorkerFailure && error.reason === reason;

void describe('a worker thread', () => {
  void it('starts with the first job', async () => {
    await using thread = openThread('(text) => text');
    assert.equal(thread.isRunning, false);
    const job = thread.run('a');
    assert.equal(thread.isRunning, true);
    assert.equal(await job, 'a');
  });

  void it('reports the CPU time of each job, not the time for which it waits', async () => {
    await using thread = openThread(`async (ms) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const start = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - start < ms * 1000);
    }`);
    const cpu: number[] = [];
    const onCpu = (ms: number): unknown => cpu.push(ms);
    for (const ms of [0, 150, 0]) await thread.run(ms as unknown as string, { onCpu });
    const [, busy = 0, idle = 0] = cpu;
    // The idle job waits for 100 ms, and follows one that has used 150.
    assert.ok(idle < 50 && busy >= 150, String(cpu));
  });

  void it('ends a thread whose jobs leave too much in its heap', async () => {
    const leave = `((left) => (text) => {
      if (text === 'more') left.push(Array.from({ length: 1_000_000 }, (_, at) => at + 0.5));
      return threadId;
    })([])`;
    await using thread = openThread(leave, { heapMb: 96, maxIdleHeapMb: 32 });
    const first = await thread.run('none');
    let jobs = 0;
    for (; thread.isRunning && jobs < 20; jobs += 1) assert.equal(await thread.run('more'), first);
    assert.ok(jobs > 1 && jobs < 8, `${jobs} jobs`);
    const second = await thread.run('none');
    assert.notEqual(second, first);
    assert.equal(await thread.run('none'), second);
  });

  void it('its thread has the compile cache of the process, and no other setting', async () => {
    enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));
    await using thread = openThread(
      `() => [process.getBuiltinModule('node:module').getCompileCacheDir(), Object.keys(process.env)]`,
    );
    assert.deepEqual(await thread.run(''), [getCompileCacheDir(), ['NODE_COMPILE_CACHE']]);
  });

  void it('moves the buffers to transfer', async () => {
    await using thread = openThread('(bytes) => bytes.byteLength');
    const bytes = new ArrayBuffer(8);
    assert.equal(await thread.run(bytes as unknown as string, { transfer: [bytes] }), 8);
    assert.ok(bytes.detached);
  });

  void it('a job that throws, or that cannot be sent, fails alone', async () => {
    await using thread = openThread(
      'async (text) => { if (text === "throw") throw new TypeError("no"); return text; }',
    );
    await assert.rejects(
      thread.run('throw'),
      (error) => failsAs('failed')(error) && /no/.test(String((error as Error).cause)),
    );
    assert.equal(await thread.run('x'), 'x');
    await assert.rejects(thread.run((() => {}) as unknown as string), failsAs('failed'));
    assert.equal(await thread.run('y'), 'y');
  });

  void it('a thread that ends fails its job, and the next job starts another', async () => {
    await using thread = openThread('(text) => text === "die" ? process.exit(1) : text');
    assert.equal(await thread.run('x'), 'x');
    await assert.rejects(thread.run('die'), failsAs('failed'));
    assert.equal(await thread.run('y'), 'y');
  });

  void it('a thread that cannot start fails every job', async () => {
    await using thread = openThread('', { module: new URL('file:///nowhere.ts') });
    for (let n = 0; n < 3; n += 1) await assert.rejects(thread.run('x'), failsAs('failed'));
  });

  void it('a job that fills the heap fails with `memory`', async () => {
    await using thread = openThread(
      '(text) => { for (const all = []; text === "grow";) all.push(Array(1e5).fill(all.length)); return text; }',
    );
    await assert.rejects(thread.run('grow'), failsAs('memory'));
    assert.equal(await thread.run('x'), 'x');
  });

  void it('a job that takes too long fails with `late`', async () => {
    await using thread = openThread('(text) => { while (text === "loop"); return text; }', {
      maxJobMs: scaledMs(500),
    });
    await assert.rejects(thread.run('loop'), failsAs('late'));
    // A new thread starts for the next one: on a busy machine that may take as long as a job may.
    let next: unknown;
    for (let n = 0; n < 6 && next !== 'x'; n += 1) next = await thread.run('x').catch(() => null);
    assert.equal(next, 'x');
  });

  void it('the thread is kept while it is used, and ends when it is not', async () => {
    await using busy = openThread('() => threadId');
    assert.equal(await busy.run('x'), await busy.run('x'));
    await using idle = openThread('() => threadId', { idleMs: 1 });
    const first = await idle.run('x');
    for (let n = 0; n < patientMs(500) && idle.isRunning; n += 1) await wait(20);
    assert.notEqual(await idle.run('x'), first);
  });

  void it('the timers of a job end with it', async (t) => {
    await using thread = openThread('(text) => text', { idleMs: 10, maxJobMs: 10 });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await thread.run('x');
    t.mock.timers.tick(5);
    const next = thread.run('y');
    t.mock.timers.tick(5);
    assert.equal(await next, 'y');
    t.mock.timers.tick(9);
    assert.equal(thread.isRunning, true);
    t.mock.timers.tick(1);
    assert.equal(thread.isRunning, false);
  });

  void it('closing fails the job that runs and those that come later', async () => {
    const thread = openThread('() => { for (;;); }');
    const job = assert.rejects(thread.run('x'), failsAs('closed'));
    await thread.close();
    await job;
    await assert.rejects(thread.run('z'), failsAs('closed'));
    assert.equal(thread.isRunning, false);
  });

  void it('an abort ends the thread, and the next job starts another', async () => {
    await using thread = openThread('(text) => { while (text === "loop"); return text; }');
    const reason = new Error('gone');
    await assert.rejects(thread.run('x', { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const job = assert.rejects(thread.run('loop', { signal: controller.signal }), reason);
    controller.abort(reason);
    assert.equal(thread.isRunning, false);
    await job;
    assert.equal(await thread.run('x'), 'x');
  });
});

const SERVE_POOL_JOBS = new URL('./serve-jobs.ts', import.meta.url).href;
const CODE = `
  import { threadId } from 'node:worker_threads';
  import { serveJobs } from '${SERVE_POOL_JOBS}';
  serveJobs((text) => { while (text === 'loop'); return threadId; });
`;

function openPool(idleMs = 60_000) {
  const pool = new WorkerPool<string, number>({
    module: new URL(`data:text/javascript,${encodeURIComponent(CODE)}`),
    name: 'test',
    heapMb: 48,
    idleMs,
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
    for (let n = 0; n < patientMs(500) && pool.threads > 0; n += 1) await wait(20);
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
