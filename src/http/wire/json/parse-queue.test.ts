import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { PdfRequest } from '#pdf';
import { ApiError } from '#errors';
import type { WorkerOptions } from '#concurrency';
import { computeCapacities, createShares } from '#limits';
import { PDF_BODY } from '../../v1/pdf-body.ts';
import { ParseQueue } from './parse-queue.ts';

function createTask(format: string, text: string) {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(new ArrayBuffer(encoded.length, { maxByteLength: encoded.length }));
  bytes.set(encoded);
  return { format, bytes };
}

const pdf = (members: object) => createTask('generatePdf', JSON.stringify(members));

const ME = { accountId: 'me', slots: null };

/** A queue with shares of its own. `run` is of the account `me`. */
function createQueue(overrides: Partial<WorkerOptions> = {}) {
  const capacities = computeCapacities({ pdfSlots: 2, bodyMemoryMb: 192 });
  const shares = createShares({ capacities, maxBodyBytes: 1e6, now: () => performance.now() });
  const queue = new ParseQueue(shares, overrides);
  type Task = Parameters<ParseQueue['run']>[0];
  return {
    run: (task: Task, signal?: AbortSignal, accountId = 'me') =>
      queue.run(task, { ...ME, accountId }, signal),
    close: () => queue.close(),
  };
}

/** A queue over workers whose function `run` answers the text of each task. */
function openQueue(run: string, options: Partial<WorkerOptions> = {}) {
  const module = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      const run = ${run};
      parentPort.on('message', ({ bytes }) =>
        parentPort.postMessage({ output: { value: run(new TextDecoder().decode(bytes)) }, cpuMs: 100 }));
    `)}`,
  );
  const queue = createQueue({ module, ...options });
  return {
    run: (text: string, signal?: AbortSignal, accountId?: string) =>
      queue.run(createTask('any', text), signal, accountId),
    close: () => queue.close(),
    [Symbol.asyncDispose]: () => queue.close(),
  };
}

/** Waits for some milliseconds, and counts the tasks of its thread. */
const SLOW = `((tasks) => (text) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(text));
  return ++tasks + ' ' + text;
})(0)`;

/** Uses as many milliseconds of CPU time as its text says. Returns when it began. */
const SPIN = `(text) => {
  const startedAt = Date.now();
  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < text * 1000);
  return String(startedAt);
}`;

describe('ParseQueue', () => {
  it('returns the validated request, whose body was transferred without a copy', async () => {
    const queue = createQueue();
    const html = `<p>${'ä'.repeat(500_000)}`;
    const task = pdf({ html, margin_top: '1in', wait_for: '#ready' });
    const request = (await queue.run(task)) as PdfRequest;
    assert.equal(task.bytes.length, 0, 'the bytes are detached');
    assert.equal(request.html, html);
    assert.deepEqual(
      [request.htmlBytes, request.margins.top, request.waitFor],
      [1_000_003, 96, { selector: '#ready' }],
    );
    const batch = createTask('validateEmailBatch', '{"emails":["a@b.co"],"details":true}');
    assert.deepEqual(await queue.run(batch), {
      isOrdered: true,
      requests: [
        { email: 'a@b.co', checkMx: true, suggest: true, timeoutMs: 5_000, details: true, policies: false },
      ],
    });
    await queue.close();
  });

  it('moves attached files, and counts their memory', async () => {
    const queue = createQueue();
    const file = { name: 'a', base64: Buffer.alloc(1_500_000, 'x').toString('base64') };
    const request = (await queue.run(
      pdf({ html: 'x', attachments: [file, { ...file, name: 'b' }] }),
    )) as PdfRequest;
    assert.deepEqual(request.attachments[1]?.bytes, new Uint8Array(1_500_000).fill(120));
    assert.equal(PDF_BODY.measure(request), 3_000_001);
    await queue.close();
  });

  const faults: [name: string, task: ReturnType<typeof pdf>, code: string, param?: string][] = [
    ['a wrong member', pdf({ html: 'x', page_size: 'a4' }), 'invalid_page_size', 'page_size'],
    ['an unknown member', pdf({ html: 'x', bogus: 1 }), 'invalid_parameter', 'bogus'],
    ['too much html', pdf({ html: 'x'.repeat(5_242_881) }), 'payload_too_large', 'html'],
    ['broken JSON', createTask('generatePdf', '{"html":'), 'invalid_json'],
    ['an array', createTask('generatePdf', '[1]'), 'missing_html'],
    ['an array as a batch', createTask('validateEmailBatch', '[1]'), 'invalid_json'],
    ['an unknown format', createTask('toString', '{}'), 'internal'],
  ];
  const shared = createQueue();
  after(() => shared.close());
  for (const [name, task, code, param] of faults)
    it(`${name} rejects with ${code}`, async () => {
      const error: unknown = await shared.run(task).catch((error: unknown) => error);
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.param], [code, param]);
    });

  it('bytes that are not UTF-8 are invalid_json', async () => {
    const task = pdf({ html: 'x' });
    task.bytes[9] = 0xff;
    await assert.rejects(shared.run(task), { code: 'invalid_json' });
  });

  it('the bytes of a canceled task are released', async () => {
    const queue = createQueue();
    const reason = new ApiError('overloaded');
    const waiting = new AbortController();
    const tasks = [pdf({ html: 'x' }), pdf({ html: 'y' }), pdf({ html: 'z' })];
    const signals = [undefined, waiting.signal, AbortSignal.abort(reason)];
    const outcomes = Promise.allSettled(tasks.map((task, n) => queue.run(task, signals[n])));
    waiting.abort(reason);
    const [first, second, third] = await outcomes;
    assert.equal(first?.status, 'fulfilled');
    for (const outcome of [second, third]) assert.deepEqual(outcome, { status: 'rejected', reason });
    for (const { bytes } of tasks) assert.equal(bytes.buffer.byteLength, 0);
    await queue.close();
    const late = pdf({ html: 'x' });
    await assert.rejects(queue.run(late), { code: 'unavailable' });
    assert.equal(late.bytes.buffer.byteLength, 0);
  });

  it('a worker that dies fails the task that ran; the next one gets another worker', async () => {
    await using queue = openQueue('(text) => text === "die" ? process.exit(1) : text');
    const tasks = ['x', 'die', 'y', 'die', 'z'].map((text) => queue.run(text));
    const outcomes = await Promise.allSettled(tasks);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code)),
      ['x', 'internal', 'y', 'internal', 'z'],
    );
  });

  it('a worker that cannot start fails every task, and never hangs', async () => {
    const queue = createQueue({ module: new URL('file:///nowhere.ts') });
    for (let n = 0; n < 3; n++) await assert.rejects(queue.run(pdf({})), { code: 'internal' });
    await queue.close();
  });

  it('a worker that throws fails the task with internal, without the reason', async () => {
    await using queue = openQueue('() => { throw new Error("secret") }');
    await assert.rejects(queue.run('x'), (error) => {
      assert.ok(error instanceof ApiError && error.code === 'internal' && !error.message.includes('secret'));
      return true;
    });
  });

  it('a task that takes too much memory is invalid_json, and the next one runs', async () => {
    await using queue = openQueue(
      '(text) => { for (const all = []; text === "grow";) all.push(Array(1e5).fill(all.length)); return text; }',
    );
    await assert.rejects(queue.run('grow'), { code: 'invalid_json' });
    assert.equal(await queue.run('x'), 'x');
  });

  it('408: a task that takes too long is ended, and the next one runs in another thread', async () => {
    await using queue = openQueue('(text) => { while (text === "loop"); return text; }', { maxJobMs: 500 });
    const late = assert.rejects(queue.run('loop'), { code: 'timeout', message: /takes longer than/ });
    // A new thread starts for the next one: on a busy machine that may take as long as a job may.
    const tries = [1, 2, 3, 4, 5, 6].map(() => queue.run('x'));
    await late;
    assert.equal(await Promise.any(tries), 'x');
    await Promise.allSettled(tries);
  });

  it('an aborted task keeps its thread until it ends, without its result', async () => {
    await using queue = openQueue(SLOW);
    const gone = new AbortController();
    const reason = new ApiError('overloaded');
    const first = assert.rejects(queue.run('100', gone.signal), reason);
    const next = queue.run('1');
    await new Promise((resolve) => setTimeout(resolve, 1));
    gone.abort(reason);
    await first;
    assert.equal(await next, '2 1', 'the thread of the account was not ended');
  });

  it('a body of one account waits for at most the one in progress of another with a backlog', async () => {
    await using queue = openQueue(SLOW);
    const order: string[] = [];
    const run = (name: string, ms: number) =>
      queue.run(String(ms), undefined, name).then(() => order.push(name));
    const backlog = Array.from({ length: 20 }, () => run('greedy', 30));
    await Promise.race(backlog);
    const done = order.length;
    await run('small', 1);
    assert.ok(order.length - done <= 4, `${order.length - done} of 20 came first`);
    await run('small', 1);
    await Promise.all(backlog);
    assert.ok(order.lastIndexOf('small') < 12, order.join(' '));
  });

  it('one thread stays free: two tasks without end of one account keep no other waiting', async () => {
    await using queue = openQueue('(text) => { while (text === "loop"); return text; }');
    const stuck = Promise.allSettled([queue.run('loop'), queue.run('loop'), queue.run('loop')]);
    assert.equal(await queue.run('x', undefined, 'other'), 'x');
    await queue.close();
    await stuck;
  });

  it('the account that used the least CPU time is next, whatever the number and order of its bodies', async () => {
    await using queue = openQueue(SPIN);
    const starts: [name: string, at: number][] = [];
    const run = async (name: string) => starts.push([name, Number(await queue.run('40', undefined, name))]);
    await Promise.all(['busy', 'busy', 'busy', 'third'].map(run));
    starts.length = 0;
    // The first two hold both threads when the others arrive.
    await Promise.all(['busy', 'third', ...Array(3).fill('busy'), ...Array(3).fill('third'), 'new'].map(run));
    const order = starts.sort((one, other) => one[1] - other[1]).map(([name]) => name);
    assert.ok(order.indexOf('new') <= 2, order.join(' '));
    assert.ok(order.lastIndexOf('third') < order.lastIndexOf('busy'), order.join(' '));
  });

  it('closing fails what runs and what waits, and ends the worker', async () => {
    const queue = openQueue('() => { for (;;); }');
    const tasks = [queue.run('x'), queue.run('y')].map((task) =>
      assert.rejects(task, { code: 'unavailable' }),
    );
    await queue.close();
    await Promise.all(tasks);
    await assert.rejects(queue.run('z'), { code: 'unavailable' });
  });
});
