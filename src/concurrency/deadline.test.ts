import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { DeadlineExceeded, joinSignals, onAbort, openDeadline, untilAborted } from './deadline.ts';

const reason = new Error('gone');

function countListeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

void describe('the callbacks of a signal', () => {
  void it('share one listener, which the last removal removes', () => {
    const { signal } = new AbortController();
    const removals = Array.from({ length: 100 }, () => onAbort(signal, () => assert.fail('no abort')));
    assert.equal(countListeners(signal), 1);
    for (const remove of removals) remove();
    assert.equal(countListeners(signal), 0);
  });

  void it('are called with its reason, in order, unless they were removed', () => {
    const [aborted, other] = [new AbortController(), new AbortController()];
    const called: unknown[] = [];
    const record = (it: unknown): void => void called.push(it);
    onAbort(aborted.signal, record);
    const remove = onAbort(aborted.signal, record);
    onAbort(aborted.signal, () => called.push('last'));
    onAbort(other.signal, () => called.push('other'));
    remove();
    remove();
    aborted.abort(reason);
    assert.deepEqual(called, [reason, 'last']);
  });

  void it('are called immediately if it has aborted, and never without a signal', () => {
    const called: unknown[] = [];
    onAbort(AbortSignal.abort(reason), (it) => called.push(it))();
    onAbort(undefined, () => called.push('never'))();
    assert.deepEqual(called, [reason]);
  });

  void it('are all called if one throws, and its error is uncaught', async (t) => {
    const controller = new AbortController();
    const uncaught = Promise.withResolvers<unknown>();
    const handlers = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').once('uncaughtException', uncaught.resolve);
    t.after(() => handlers.forEach((handler) => process.on('uncaughtException', handler)));
    let isCalled = false;
    onAbort(controller.signal, () => {
      throw reason;
    });
    onAbort(controller.signal, () => (isCalled = true));
    controller.abort();
    assert.equal(isCalled, true);
    assert.equal(await uncaught.promise, reason);
  });
});

void describe('joined signals', () => {
  void it('abort with the reason of the first, and leave no listener when closed', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const joined = joinSignals([first.signal, undefined, second.signal]);
    second.abort(reason);
    assert.equal(joined.signal.reason, reason);
    joined.close();
    assert.equal(countListeners(first.signal), 0);
    assert.equal(joinSignals([first.signal, AbortSignal.abort(reason)]).signal.reason, reason);
  });
});

void describe('a deadline', () => {
  void it('aborts its signal when the time is over, with the error that is wanted', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { signal } = openDeadline(10);
    const own = openDeadline(10, undefined, () => reason);
    t.mock.timers.tick(9);
    assert.equal(signal.aborted, false);
    t.mock.timers.tick(1);
    assert.ok(signal.reason instanceof DeadlineExceeded);
    assert.equal(own.signal.reason, reason);
  });

  void it('aborts with the reason of the outer signal', () => {
    const outer = new AbortController();
    const deadlines = [openDeadline(60_000, outer.signal), openDeadline(Infinity, outer.signal)];
    outer.abort(reason);
    for (const { signal, close } of deadlines) {
      assert.equal(signal.reason, reason);
      close();
    }
  });

  void it('leaves no timer and no listener when closed', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const outer = new AbortController();
    const { signal, close } = openDeadline(10, outer.signal);
    close();
    t.mock.timers.tick(10);
    assert.deepEqual([signal.aborted, countListeners(outer.signal)], [false, 0]);
  });
});

void describe('a promise until an abort', () => {
  void it('settles as the promise does, and leaves no listener', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
    assert.equal(await untilAborted(Promise.resolve(1), undefined), 1);
    await assert.rejects(untilAborted(Promise.reject(reason), signal), reason);
    assert.equal(countListeners(signal), 0);
  });

  void it('rejects with the reason, whatever the promise does later', async () => {
    const controller = new AbortController();
    const late = Promise.withResolvers<void>();
    const waiting = untilAborted(late.promise, controller.signal);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    late.reject(new Error('never unhandled'));
    await assert.rejects(untilAborted(Promise.resolve(), controller.signal), reason);
  });
});
