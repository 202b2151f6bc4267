import assert from 'node:assert/strict';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'node:test';
import {
  WorkerFailure,
  type WorkerFailureReason,
  WorkerPool,
  WorkerQueue,
  type WorkerQueueOptions,
} from './worker-queue.ts';
import { patientMs, scaledMs } from '../../test/support/patience.ts';

const SERVE_JOBS = new URL('./serve-jobs.ts', import.meta.url).href;

/** Opens a queue over a thread that runs `run`, a function from a text to its output. */
function openQueue(run: string, overrides: Partial<WorkerQueueOptions> = {}) {
  const code = `
    import { threadId } from 'node:worker_threads';
    import { serveJobs } from '${SERVE_JOBS}';
    serveJobs(${run});
  `;
  const queue = new WorkerQueue<string, unknown>({
    module: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    name: 'test',
    heapMb: 48,
    idleMs: 60_000,
    endsOnAbort: false,
    ...overrides,
  });
  return Object.assign(queue, { [Symbol.asyncDispose]: () => queue.close() });
}

const failsAs = (reason: WorkerFailureReason) => (error: unknown) =>
  error instanceof WorkerFailure && error.reason === reason;

async function listOutcomes(jobs: Promise<unknown>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(jobs);
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));
}

/** Lists the jobs that the thread ran, after 30 ms each. */
const RECORD = `((seen) => (text) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  seen.push(text);
  return seen.join('');
})([])`;

void describe('a worker queue', () => {
  void it('starts its thread with the first job, and runs one job at a time in order', async () => {
    await using queue = openQueue(RECORD);
    assert.equal(queue.isRunning, false);
    const jobs = ['a', 'b', 'c'].map((text) => queue.run(text));
    assert.equal(queue.isRunning, true);
    assert.deepEqual(await listOutcomes(jobs), ['a', 'ab', 'abc']);
  });

  void it('ends a thread whose jobs leave too much in its heap', async () => {
    const leave = `((left) => (text) => {
      if (text === 'more') left.push(Array.from({ length: 1_000_000 }, (_, at) => at + 0.5));
      return threadId;
    })([])`;
    await using queue = openQueue(leave, { heapMb: 96, maxIdleHeapMb: 32 });
    const first = await queue.run('none');
    let jobs = 0;
    for (; queue.isRunning && jobs < 20; jobs += 1) assert.equal(await queue.run('more'), first);
    assert.ok(jobs > 1 && jobs < 8, `${jobs} jobs`);
    const second = await queue.run('none');
    assert.notEqual(second, first);
    assert.equal(await queue.run('none'), second);
  });

  void it('its thread has the compile cache of the process, and no other setting', async () => {
    enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)));
    await using queue = openQueue(
      `() => [process.getBuiltinModule('node:module').getCompileCacheDir(), Object.keys(process.env)]`,
    );
    assert.deepEqual(await queue.run(''), [getCompileCacheDir(), ['NODE_COMPILE_CACHE']]);
  });

  void it('moves the buffers to transfer', async () => {
    await using queue = openQueue('(bytes) => bytes.byteLength');
    const bytes = new ArrayBuffer(8);
    assert.equal(await queue.run(bytes as unknown as string, { transfer: [bytes] }), 8);
    assert.ok(bytes.detached);
  });

  void it('a job that throws, or that cannot be sent, fails alone', async () => {
    await using queue = openQueue(
      'async (text) => { if (text === "throw") throw new TypeError("no"); return text; }',
    );
    const failed = queue.run('throw');
    const next = queue.run('x');
    await assert.rejects(
      failed,
      (error) => failsAs('failed')(error) && /no/.test(String((error as Error).cause)),
    );
    assert.equal(await next, 'x');
    await assert.rejects(queue.run((() => {}) as unknown as string), failsAs('failed'));
    assert.equal(await queue.run('y'), 'y');
  });

  void it('a thread that ends fails its job, and the next job starts another', async () => {
    await using queue = openQueue('(text) => text === "die" ? process.exit(1) : text');
    const [first, died, last] = await listOutcomes(['x', 'die', 'y'].map((text) => queue.run(text)));
    assert.deepEqual([first, last], ['x', 'y']);
    assert.ok(failsAs('failed')(died));
  });

  void it('a thread that cannot start fails every job', async () => {
    await using queue = openQueue('', { module: new URL('file:///nowhere.ts') });
    for (let n = 0; n < 3; n += 1) await assert.rejects(queue.run('x'), failsAs('failed'));
  });

  void it('a job that fills the heap fails with `memory`', async () => {
    await using queue = openQueue(
      '(text) => { for (const all = []; text === "grow";) all.push(Array(1e5).fill(all.length)); return text; }',
    );
    await assert.rejects(queue.run('grow'), failsAs('memory'));
    assert.equal(await queue.run('x'), 'x');
  });

  void it('a job that takes too long fails with `late`', async () => {
    await using queue = openQueue('(text) => { while (text === "loop"); return text; }', {
      maxJobMs: scaledMs(500),
    });
    await assert.rejects(queue.run('loop'), failsAs('late'));
    // A new thread starts for the next one: on a busy machine that may take as long as a job may.
    const tries = [1, 2, 3, 4, 5, 6].map(() => queue.run('x'));
    assert.equal(await Promise.any(tries), 'x');
    await Promise.allSettled(tries);
  });

  void it('the thread is kept while it is used, and ends when it is not', async () => {
    await using busy = openQueue('() => threadId');
    assert.equal(await busy.run('x'), await busy.run('x'));
    await using idle = openQueue('() => threadId', { idleMs: 1 });
    const first = await idle.run('x');
    for (let n = 0; n < patientMs(500) && idle.isRunning; n += 1) await wait(20);
    assert.notEqual(await idle.run('x'), first);
  });

  void it('the timers of a job end with it', async (t) => {
    await using queue = openQueue('(text) => text', { idleMs: 10, maxJobMs: 10 });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await queue.run('x');
    t.mock.timers.tick(5);
    const next = queue.run('y');
    t.mock.timers.tick(5);
    assert.equal(await next, 'y');
    t.mock.timers.tick(9);
    assert.equal(queue.isRunning, true);
    t.mock.timers.tick(1);
    assert.equal(queue.isRunning, false);
  });

  void it('closing fails the jobs that run, wait and come later', async () => {
    const queue = openQueue('() => { for (;;); }');
    const jobs = [queue.run('x'), queue.run('y')];
    const outcomes = listOutcomes(jobs);
    await queue.close();
    for (const error of await outcomes) assert.ok(failsAs('closed')(error));
    await assert.rejects(queue.run('z'), failsAs('closed'));
    assert.equal(queue.isRunning, false);
  });
});

void describe('an aborted job', () => {
  const reason = new Error('gone');

  void it('never starts if it waits, and leaves no place taken', async () => {
    await using queue = openQueue(RECORD);
    const controller = new AbortController();
    const jobs = [
      queue.run('a'),
      queue.run('b', { signal: controller.signal }),
      queue.run('c', { signal: AbortSignal.abort(reason) }),
      queue.run('d'),
    ];
    controller.abort(reason);
    assert.deepEqual(await listOutcomes(jobs), ['a', reason, reason, 'ad']);
  });

  void it('continues in the thread without its result, and the next job waits for it', async () => {
    await using queue = openQueue(RECORD);
    const controller = new AbortController();
    const jobs = [queue.run('a', { signal: controller.signal }), queue.run('b')];
    controller.abort(reason);
    assert.deepEqual(await listOutcomes(jobs), [reason, 'ab']);
  });

  void it('ends the thread if `endsOnAbort`', async () => {
    await using queue = openQueue('(text) => { while (text === "loop"); return text; }', {
      endsOnAbort: true,
    });
    const controller = new AbortController();
    const jobs = [queue.run('loop', { signal: controller.signal }), queue.run('x')];
    controller.abort(reason);
    assert.equal(queue.isRunning, false);
    assert.deepEqual(await listOutcomes(jobs), [reason, 'x']);
  });

  void it('rejects at whatever moment after the job before it', async () => {
    await using queue = openQueue(RECORD);
    for (let microtasks = 0; microtasks < 8; microtasks += 1) {
      const controller = new AbortController();
      const first = queue.run('a');
      const second = queue.run('b', { signal: controller.signal });
      await first;
      for (let n = 0; n < microtasks; n += 1) await Promise.resolve();
      controller.abort(reason);
      await assert.rejects(second, reason, `after ${microtasks} microtasks`);
    }
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
