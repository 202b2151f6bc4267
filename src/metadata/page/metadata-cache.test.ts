import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageHead } from './fetch-page.ts';
import { computeLifetimeMs, openMetadataCache } from './metadata-cache.ts';
import type { PageMetadata } from './page-metadata.ts';

const NOW = Date.UTC(2026, 10, 22);
const TTL_SECONDS = 300;
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString();

/** Returns the lifetime in seconds of a response with these headers. */
function getLifetime(headers: Record<string, string>, status = 200, hops: Record<string, string>[] = []) {
  const redirects = hops.map((hop) => ({ headers: new Map(Object.entries(hop)) }));
  const head = { status, headers: new Map(Object.entries(headers)), redirects } as unknown as PageHead;
  return computeLifetimeMs(head, TTL_SECONDS, NOW) / 1_000;
}

/** Headers, and the lifetime in seconds. */
const CASES: [headers: Record<string, string>, seconds: number][] = [
  [{}, 300],
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'public, MAX-AGE="60"' }, 60],
  [{ 'cache-control': 'max-age=60, max-age=90' }, 60],
  [{ 'cache-control': 'max-age=60, s-maxage=90' }, 90],
  [{ 'cache-control': 'max-age=900' }, 300],
  [{ 'cache-control': 'max-age=soon' }, 0],
  [{ 'cache-control': 'max-age' }, 0],
  [{ 'cache-control': 'max-age=-1' }, 0],
  [{ 'cache-control': 'public , max-age = 60' }, 60],
  [{ 'cache-control': 'max-age=60', age: 'old' }, 60],
  [{ 'cache-control': 'max-age=60', age: '20' }, 40],
  [{ 'cache-control': 'max-age=60', age: '90' }, 0],
  [{ 'cache-control': 'max-age=60', expires: at(200) }, 60],
  [{ 'cache-control': 'no-store' }, 0],
  [{ 'cache-control': 'no-cache, max-age=60' }, 0],
  [{ 'cache-control': 'private' }, 0],
  [{ vary: '*' }, 0],
  [{ vary: 'accept-language' }, 300],
  [{ expires: at(100) }, 100],
  [{ expires: at(100), date: at(30) }, 70],
  [{ expires: at(100), date: at(30), age: '10' }, 60],
  [{ expires: at(-100) }, 0],
  [{ expires: '0' }, 0],
  [{ expires: '2026-12-01' }, 0],
];

describe('the lifetime of metadata', () => {
  for (const [headers, seconds] of CASES)
    it(`${JSON.stringify(headers)}: ${seconds} s`, () => {
      assert.equal(getLifetime(headers), seconds);
    });

  it('is 0 of a status that is not cacheable (RFC 9110 §15.1), unless one is declared', () => {
    for (const status of [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
      assert.equal(getLifetime({}, status), 300, String(status));
    for (const status of [201, 206, 302, 307, 403, 429, 500, 503])
      assert.equal(getLifetime({}, status), 0, String(status));
    assert.equal(getLifetime({ 'cache-control': 'max-age=60' }, 500), 60);
  });

  it('is the shortest of the page and the redirects to it', () => {
    assert.equal(getLifetime({}, 200, [{}, { 'cache-control': 'max-age=20' }]), 20);
    assert.equal(
      getLifetime({ 'cache-control': 'max-age=10' }, 200, [{ 'cache-control': 'max-age=20' }]),
      10,
    );
  });
});

describe('the cache of metadata', () => {
  const metadata = { title: 'A' } as PageMetadata;

  it('has an entry until its lifetime is over', async () => {
    let now = NOW;
    const cache = openMetadataCache({ maxEntries: 9, ttlSeconds: TTL_SECONDS, now: () => now });
    await cache.store('a', metadata, 1_000);
    now += 999;
    assert.equal(cache.find('a'), metadata);
    now += 1;
    assert.equal(cache.find('a'), null);
    now -= 500;
    assert.equal(cache.find('a'), null, 'it is gone');
    assert.equal(cache.find('b'), null);
  });

  it('evicts the least recently used entry, by count and by size', async () => {
    const options = { ttlSeconds: TTL_SECONDS, now: () => NOW };
    const few = openMetadataCache({ ...options, maxEntries: 2 });
    for (const key of ['a', 'b', 'c']) await few.store(key, metadata, 1_000);
    assert.deepEqual([few.find('a'), few.find('b')], [null, metadata]);
    const bytes = 2 * (JSON.stringify(metadata).length + 1);
    for (const [maxBytes, found] of [
      [2 * bytes, metadata],
      [2 * bytes - 1, null],
    ] as const) {
      const small = openMetadataCache({ ...options, maxEntries: 9, maxBytes });
      for (const key of ['a', 'b']) await small.store(key, metadata, 1_000);
      assert.equal(small.find('a'), found);
    }
  });
});
