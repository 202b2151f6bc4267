import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageHead } from './fetch-page.ts';
import { mayBeStored, openMetadataCache } from './metadata-cache.ts';

const NOW = Date.UTC(2026, 10, 22);

function isStored(headers: Record<string, string>, status = 200, hops: Record<string, string>[] = []) {
  const redirects = hops.map((hop) => ({ headers: new Map(Object.entries(hop)) }));
  return mayBeStored({ status, headers: new Map(Object.entries(headers)), redirects } as unknown as PageHead);
}

describe('a result may be stored', () => {
  it('whatever the page says about its freshness: the request says how old a result may be', () => {
    for (const headers of [
      {},
      { 'cache-control': 'max-age=0, must-revalidate' },
      { 'cache-control': 'private, no-cache' },
      { 'cache-control': 'no-store-ever="no-store"' },
      { expires: '0', vary: '*' },
    ])
      assert.equal(isStored(headers), true, JSON.stringify(headers));
  });

  it('unless the page, or a redirect to it, declares no-store', () => {
    for (const value of ['no-store', 'private, NO-STORE', 'max-age=60 , no-store ,public'])
      assert.equal(isStored({ 'cache-control': value }), false, value);
    assert.equal(isStored({}, 200, [{}, { 'cache-control': 'no-store' }]), false);
    assert.equal(isStored({}, 200, [{ 'cache-control': 'private' }]), true);
  });

  it('unless its status may be gone at the next request', () => {
    for (const status of [200, 203, 301, 302, 404, 410])
      assert.equal(isStored({}, status), true, String(status));
    for (const status of [400, 401, 403, 408, 429, 451, 500, 502, 503, 999])
      assert.equal(isStored({}, status), false, String(status));
  });
});

describe('the cache of metadata', () => {
  const entry = { json: '{"title":"A"}', storedAtMs: NOW };

  it('has an entry until its time is over', async () => {
    let now = NOW;
    const cache = openMetadataCache({ maxEntries: 9, ttlSeconds: 1, now: () => now });
    await cache.store('a', entry);
    now += 999;
    assert.equal(await cache.find('a'), entry);
    now += 1;
    assert.equal(await cache.find('a'), null);
    now -= 500;
    assert.equal(await cache.find('a'), null, 'it is gone');
    assert.equal(await cache.find('b'), null);
  });

  it('evicts the least recently used entry, by count and by size', async () => {
    const options = { ttlSeconds: 300, now: () => NOW };
    const few = openMetadataCache({ ...options, maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await few.store(key, entry);
    assert.deepEqual([await few.find('a'), await few.find('b')], [null, entry]);
    const large = { ...entry, json: JSON.stringify({ title: 'A'.repeat(1000) }) };
    for (const [maxBytes, found] of [
      [5_000, large],
      [3_000, null],
    ] as const) {
      const small = openMetadataCache({ ...options, maxEntries: 9, maxBytes });
      for (const key of ['a', 'b']) await small.store(key, large);
      assert.equal(await small.find('a'), found);
    }
  });
});
