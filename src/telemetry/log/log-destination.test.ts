import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LogDestination, type LogBounds, type LogOutput } from './log-destination.ts';

/** The result of the next write: takes so many bytes (default: all), or fails with this code. */
type Outcome = number | 'ENOSPC' | 'EAGAIN' | 'EPIPE' | 'EIO';

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A file descriptor that writes on demand, with planned results. */
function openFake(bounds: Partial<LogBounds> = {}) {
  const state = { text: '', writes: 0, inFlight: 0, most: 0 };
  const plan: Outcome[] = [];
  let always: Outcome | null = null;
  let finish: (() => void) | null = null;
  const take = (bytes: Buffer): number => {
    state.writes += 1;
    const outcome = plan.shift() ?? always ?? bytes.length;
    if (typeof outcome === 'string') throw failure(outcome);
    state.text += bytes.toString('latin1', 0, outcome);
    return Math.min(outcome, bytes.length);
  };
  const output: LogOutput = {
    write(bytes, done) {
      state.inFlight += 1;
      state.most = Math.max(state.most, state.inFlight);
      finish = () => {
        finish = null;
        state.inFlight -= 1;
        let written = 0;
        try {
          written = take(bytes);
        } catch (error) {
          return done(error as Error, 0);
        }
        done(null, written);
      };
    },
    writeSync: take,
  };
  const log = new LogDestination(output, { firstPauseMs: 1, ...bounds });
  log.onRecover = (dropped) => log.write(`dropped ${dropped}\n`);
  return {
    log,
    state,
    plan,
    failAlways: (outcome: Outcome | null) => (always = outcome),
    /** Ends the write in progress; false if there is none. */
    step: (): boolean => {
      finish?.();
      return finish !== null;
    },
    /** Ends writes, also those that come after a pause, until the queue is empty. */
    async run(): Promise<void> {
      const endWrites = setInterval(() => finish?.(), 0);
      await log.flush(10_000);
      clearInterval(endWrites);
    },
  };
}

const lines = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `line ${from + n}\n`);

describe('the queue of the log', () => {
  it('writes lines in their order, one write at a time, those that wait in one batch', async () => {
    const { log, state, run } = openFake();
    for (const line of lines(1000)) log.write(line);
    await run();
    assert.equal(state.text, lines(1000).join(''));
    assert.equal(state.most, 1);
    assert.equal(state.writes, 2);
  });

  it('continues a partial write where it ended, within a character of several bytes too', async () => {
    const { log, state, plan, run } = openFake();
    plan.push(1, 3, 2, 1);
    for (const line of ['zäöü\n', 'second\n', 'third\n']) log.write(line);
    await run();
    assert.equal(Buffer.from(state.text, 'latin1').toString(), 'zäöü\nsecond\nthird\n');
  });

  for (const code of ['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'] as const)
    it(`repeats a write that failed with ${code}, and loses nothing`, async () => {
      const { log, state, plan, run } = openFake();
      plan.push(code, code, 4, code, 0);
      for (const line of lines(50)) log.write(line);
      await run();
      assert.equal(state.text, lines(50).join(''));
    });

  it('never repeats a failed write in the same turn, and doubles the pause', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { log, state, failAlways, step } = openFake({ firstPauseMs: 10 });
    failAlways('ENOSPC');
    log.write('a line\n');
    for (let ms = 0; ms < 60_000; ms += 10) {
      while (step());
      context.mock.timers.tick(10);
    }
    // 10, 20, 40 … 640 ms, then once a second.
    assert.ok(state.writes >= 60 && state.writes <= 67, `${state.writes} writes in a minute`);
  });

  it('drops the newest lines over its limit and logs their count where they are missing', async () => {
    const { log, state, failAlways, run, step } = openFake({ maxLines: 10 });
    failAlways('ENOSPC');
    log.write('first\n');
    step();
    for (const line of lines(10)) log.write(line);
    for (const line of lines(25, 10)) log.write(line);
    failAlways(null);
    await run();
    log.write('later\n');
    await run();
    assert.equal(state.text, `first\n${lines(10).join('')}dropped 25\nlater\n`);
    assert.equal(log.dropped, 25);
  });

  it('a write that never ends: the memory stays bounded', () => {
    const { log, state } = openFake({ maxBytes: 1000 });
    for (let n = 0; n < 100_000; n += 1) log.write(`${'x'.repeat(99)}\n`);
    assert.equal(state.inFlight, 1);
    log.flushAtExit(0);
    // The write in progress had one line; the queue takes nine more.
    assert.equal(state.text.match(/x+\n/g)?.length, 9);
    assert.match(state.text, /dropped 99990\n$/);
  });

  it('a line longer than the whole queue is dropped and counted at once', async () => {
    const { log, state, run } = openFake({ maxBytes: 100 });
    log.write(`${'x'.repeat(200)}\n`);
    log.write('next\n');
    await run();
    assert.equal(state.text, 'dropped 1\nnext\n');
  });

  it('while the queue is more than half full, nothing is accepted: the count is one line, not one for every gap', async () => {
    const { log, state, plan, run, step } = openFake({ maxBytes: 100 });
    for (const line of lines(20)) log.write(line);
    plan.push(7, 7, 7);
    for (let n = 0; n < 3; n += 1) {
      step();
      log.write('refused\n');
    }
    await run();
    assert.equal(state.text.match(/dropped/g)?.length, 1);
    assert.match(state.text, /dropped 10\n$/);
  });

  it('flush ends at once if nothing is queued', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const { log, state, run } = openFake();
    let ends = 0;
    const flush = async (): Promise<void> => {
      await log.flush(1_000);
      ends += 1;
    };
    void flush();
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(ends, 1);
    log.write('a line\n');
    await run();
    assert.equal(state.text, 'a line\n');
    void flush();
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(ends, 2);
  });

  it('flush ends after its timeout', async () => {
    const { log, state } = openFake();
    log.write('stuck\n');
    await log.flush(1);
    assert.equal(state.text, '');
  });
});

describe('at the exit', () => {
  it('the queued lines are written after the write in progress, partial writes and EAGAIN included', () => {
    const { log, state, plan } = openFake();
    log.write('in progress\n');
    for (const line of lines(100)) log.write(line);
    plan.push(10, 'EAGAIN', 'EAGAIN', 5);
    log.flushAtExit(1_000);
    assert.equal(state.text, lines(100).join(''));
  });

  it('a full disk ends it at the first attempt, a stalled reader after its timeout', () => {
    for (const [code, most] of [
      ['ENOSPC', 1],
      ['EPIPE', 1],
      ['EAGAIN', 5],
    ] as const) {
      const { log, state, failAlways, step } = openFake({ firstPauseMs: 10_000 });
      failAlways(code);
      log.write('a line\n');
      step();
      const before = state.writes;
      log.flushAtExit(30);
      assert.ok(state.writes - before >= 1 && state.writes - before <= most, `${code}: ${state.writes}`);
    }
  });
});
