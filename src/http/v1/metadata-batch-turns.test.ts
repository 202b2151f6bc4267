import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { answerInTurn, type TurnOptions } from './metadata-batch-turns.ts';

/** A batch whose answers complete when the test says so. */
function openBatch(hosts: (string | null)[], change: Partial<TurnOptions<number>> = {}) {
  const begun: number[] = [];
  const signals = new Map<number, AbortSignal>();
  const pending = new Map<number, PromiseWithResolvers<number>>();
  const ended = new AbortController();
  const turns = answerInTurn<number>({
    hosts,
    answer: (index, signal) => {
      begun.push(index);
      signals.set(index, signal);
      const answer = Promise.withResolvers<number>();
      signal.addEventListener('abort', () => answer.reject(signal.reason as Error));
      pending.set(index, answer);
      return answer.promise;
    },
    measure: (bytes) => bytes,
    isOrdered: true,
    signal: ended.signal,
    ...change,
  });
  return {
    begun,
    turns,
    signals,
    ended,
    async complete(...indices: number[]) {
      for (const index of indices) pending.get(index)?.resolve(1);
      await setImmediate();
    },
    async completeWith(index: number, bytes: number) {
      pending.get(index)?.resolve(bytes);
      await setImmediate();
    },
  };
}

const hostsOf = (count: number) => Array.from({ length: count }, (_, index) => `${index}.example`);

describe('the URLs of a batch', () => {
  it('are begun in their order, ten at once', async () => {
    const { begun, turns, complete } = openBatch(hostsOf(14));
    const first = turns.next();
    assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await complete(4, 7);
    assert.deepEqual(begun.slice(10), [10, 11]);
    await complete(0);
    assert.deepEqual((await first).value, { index: 0, answer: 1 });
  });

  it('of one host are begun two at once, and others are begun before the third', async () => {
    const { begun, turns, complete } = openBatch(['a', 'a', 'a', 'b', 'a', 'b']);
    void turns.next();
    assert.deepEqual(begun, [0, 1, 3, 5]);
    await complete(1);
    assert.deepEqual(begun, [0, 1, 3, 5, 2]);
    await complete(3, 5);
    assert.deepEqual(begun, [0, 1, 3, 5, 2], 'a host that is free lends no place to another');
    await complete(0, 2);
    assert.deepEqual(begun, [0, 1, 3, 5, 2, 4]);
  });

  it('that are invalid have no host and wait for none', () => {
    const { begun, turns } = openBatch([null, null, null, 'a']);
    void turns.next();
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });
});

describe('the answers of a batch', () => {
  it('are yielded in the order of the URLs', async () => {
    const { turns, complete } = openBatch(hostsOf(3));
    const delivered: number[] = [];
    const reading = (async () => {
      for await (const { index } of turns) delivered.push(index);
    })();
    await complete(2, 1);
    assert.deepEqual(delivered, []);
    await complete(0);
    await reading;
    assert.deepEqual(delivered, [0, 1, 2]);
  });

  it('are yielded as they complete if no order is wanted', async () => {
    const { turns, complete } = openBatch(hostsOf(3), { isOrdered: false });
    const delivered: number[] = [];
    const reading = (async () => {
      for await (const { index } of turns) delivered.push(index);
    })();
    for (const index of [2, 0, 1]) await complete(index);
    await reading;
    assert.deepEqual(delivered, [2, 0, 1]);
  });

  for (const isOrdered of [true, false])
    it(`wait for a slow reader within a bound, ${isOrdered ? 'in order' : 'in no order'}`, async () => {
      const limits = { inProgress: 2, waitingBytes: 100 };
      const { begun, turns, completeWith, complete } = openBatch(hostsOf(9), { isOrdered, limits });
      const first = turns.next();
      await complete(0);
      await first;
      // The reader reads no more from now on.
      for (let index = 1; index < 9; index += 1) await completeWith(index, 60);
      assert.deepEqual(begun, [0, 1, 2, 3], 'two answers of 60 bytes wait, and one is in progress');
      for (let count = 1; count < 9; count += 1) {
        const next = turns.next();
        await complete(...begun);
        await next;
      }
      assert.equal(begun.length, 9);
    });

  it('that are next begin even if others wait, so that the batch goes on', async () => {
    const limits = { perHost: 1, waitingBytes: 100 };
    const { begun, turns, complete, completeWith } = openBatch(['a', 'a', 'b'], { limits });
    const first = turns.next();
    await completeWith(2, 1000);
    await complete(0);
    await first;
    assert.deepEqual(begun, [0, 2]);
    void turns.next();
    assert.deepEqual(begun, [0, 2, 1]);
  });
});

describe('a batch that ends early', () => {
  it('aborts the answers in progress when its reader ends the loop', async () => {
    const { turns, complete, signals, begun } = openBatch(hostsOf(12));
    const first = turns.next();
    await complete(0);
    await first;
    await turns.return();
    assert.equal(signals.get(1)?.aborted, true);
    await setImmediate();
    assert.equal(begun.length, 11, 'no other is begun');
  });

  it('aborts them with the reason of its signal, and throws that', async () => {
    const { turns, ended, signals } = openBatch(hostsOf(12));
    const first = turns.next();
    ended.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    assert.equal(signals.size, 10);
    assert.match(String(signals.get(9)?.reason), /gone/);
  });
});
