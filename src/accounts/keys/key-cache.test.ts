import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyWatch } from './api-key.ts';
import { type Entry, isFresh, isUsable, KeyCache } from './key-cache.ts';

const QUERIED = 1_000_000;

function createEntry(watch: KeyWatch, accountId: string | null = 'acc'): Entry {
  const caller = accountId === null ? null : ({ accountId } as NonNullable<Entry['caller']>);
  return { caller, expiresAtMs: Infinity, queriedAtMs: QUERIED, watch, isForgotten: false };
}

/** Returns the milliseconds after the query until which the entry is fresh, and usable if a query fails. */
function measure(entry: Entry): [number, number] {
  const until = (holds: (entry: Entry, nowMs: number) => boolean): number => {
    let ms = 0;
    while (ms < 300_000 && holds(entry, QUERIED + ms)) ms += 1_000;
    return ms;
  };
  return [until(isFresh), until(isUsable)];
}

describe('a cached key', () => {
  it('is queried again after 4 s without a watch, and usable for 60 s if the query fails', () => {
    assert.deepEqual(measure(createEntry({ confirmedAtMs: 0, isEnded: false })), [4_000, 60_000]);
  });

  it('is fresh for 4 s after the last confirmation, but no longer than 60 s, and then usable for 60 s', () => {
    const confirm = (ms: number) => createEntry({ confirmedAtMs: QUERIED + ms, isEnded: false });
    assert.deepEqual(measure(confirm(20_000)), [24_000, 80_000]);
    assert.deepEqual(measure(confirm(59_000)), [60_000, 119_000]);
  });

  it('is queried again at once when its watch has ended, and then usable since the last confirmation', () => {
    assert.deepEqual(measure(createEntry({ confirmedAtMs: QUERIED + 20_000, isEnded: true })), [0, 80_000]);
  });

  it('is neither fresh nor usable after its account was changed; those of other accounts are', () => {
    const cache = new KeyCache();
    const watch = { confirmedAtMs: 0, isEnded: false };
    const [changed, other, unknown] = [
      createEntry(watch),
      createEntry(watch, 'other'),
      createEntry(watch, null),
    ];
    for (const [hash, entry] of Object.entries({ changed, other, unknown })) cache.set(hash, entry);
    cache.forget('acc');
    assert.deepEqual(measure(changed), [0, 0]);
    assert.deepEqual(measure(other), [4_000, 60_000]);
    assert.equal(cache.get('other'), other);
    assert.equal(cache.get('unknown'), undefined, 'it may have been created');
    assert.equal(cache.changes, 1);
    cache.forget(null);
    assert.deepEqual(measure(other), [0, 0]);
    assert.equal(cache.get('other'), undefined);
  });

  it('is found by its account after others of the account were evicted or replaced', () => {
    const cache = new KeyCache(2);
    const watch = { confirmedAtMs: 0, isEnded: false };
    const [first, second, third, again] = [0, 1, 2, 3].map(() => createEntry(watch));
    cache.set('first', first!);
    cache.set('second', second!);
    cache.set('third', third!);
    cache.set('third', again!);
    assert.equal(cache.get('first'), undefined);
    cache.forget('acc');
    assert.deepEqual(
      [second, again].map((entry) => entry?.isForgotten),
      [true, true],
    );
  });
});
