import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { Semaphore } from './semaphore.ts';

const ignore = () => {};

void describe('a semaphore', () => {
  void it('runs tasks up to its limit, then the queue in order of arrival', () => {
    const semaphore = new Semaphore(2, 10);
    const started: string[] = [];
    const releases = ['a', 'b', 'c', 'd'].map((name) => semaphore.tryAcquire(() => started.push(name)));
    assert.deepEqual([started.join(''), semaphore.running, semaphore.waiting], ['ab', 2, 2]);
    releases[1]?.();
    assert.equal(started.join(''), 'abc');
    releases[0]?.();
    assert.deepEqual([started.join(''), semaphore.running, semaphore.waiting], ['abcd', 2, 0]);
  });

  void it('returns null if the queue is full', () => {
    const semaphore = new Semaphore(1, 1);
    assert.ok(semaphore.tryAcquire(ignore));
    assert.ok(semaphore.tryAcquire(() => ignore()));
    assert.equal(semaphore.tryAcquire(ignore), null);
    assert.ok(new Semaphore(1, 0).tryAcquire(ignore), 'a free place needs no queue');
  });

  void it('releases a place once, and lets a task leave the queue without a place', () => {
    const semaphore = new Semaphore(1, 2);
    const first = semaphore.tryAcquire(ignore);
    const left = semaphore.tryAcquire(() => assert.fail('it left the queue'));
    let isStarted = false;
    semaphore.tryAcquire(() => (isStarted = true));
    left?.();
    assert.deepEqual([semaphore.running, semaphore.waiting, isStarted], [1, 1, false]);
    first?.();
    first?.();
    assert.deepEqual([semaphore.running, semaphore.waiting, isStarted], [1, 0, true]);
  });

  void it('rejects with the reason of a signal that aborts in the queue, and leaves no listener', async () => {
    const semaphore = new Semaphore(1, 2);
    const controller = new AbortController();
    const { signal } = controller;
    const release = await semaphore.acquire({ signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    const waiting = semaphore.acquire({ signal });
    const reason = new Error('aborted');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    await assert.rejects(semaphore.acquire({ signal }), (error) => error === reason);
    assert.deepEqual([semaphore.running, semaphore.waiting], [1, 0]);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    release();
    assert.equal(semaphore.running, 0);
  });

  void it('rejects with the error of `createError` if the queue is full or the wait too long', async () => {
    const error = new Error('no place');
    const semaphore = new Semaphore(1, 1, { createError: () => error });
    const calls: string[] = [];
    const onWait = () => calls.push('waits');
    const release = await semaphore.acquire({ maxWaitMs: 1, onWait });
    assert.deepEqual(calls, [], 'a free place needs no wait');
    const late = semaphore.acquire({ maxWaitMs: 1, onWait });
    assert.deepEqual(calls, ['waits']);
    await assert.rejects(semaphore.acquire({ onWait }), error);
    await assert.rejects(late, error);
    assert.deepEqual([semaphore.running, semaphore.waiting, calls.length], [1, 0, 1]);
    release();
  });

  void it('does not expire a task that has its place', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const semaphore = new Semaphore(1, 1, { createError: () => assert.fail('it has its place') });
    const first = await semaphore.acquire();
    const second = semaphore.acquire({ maxWaitMs: 10 });
    first();
    await second;
    t.mock.timers.tick(20);
    assert.equal(semaphore.running, 1);
  });
});
