import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { AbortListeners } from './deadline.ts';

it('callbacks of one signal share one listener, which the last removal removes', () => {
  const listeners = new AbortListeners();
  const { signal } = new AbortController();
  const removals = Array.from({ length: 100 }, () => listeners.add(signal, () => assert.fail('no abort')));
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  for (const remove of removals) remove();
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

it('an abort calls the callbacks of its signal that were not removed, in order', () => {
  const listeners = new AbortListeners();
  const [aborted, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  listeners.add(aborted.signal, () => called.push('first'));
  const remove = listeners.add(aborted.signal, () => called.push('removed'));
  listeners.add(aborted.signal, () => called.push('last'));
  listeners.add(other.signal, () => called.push('other'));
  remove();
  aborted.abort();
  assert.deepEqual(called, ['first', 'last']);
});
