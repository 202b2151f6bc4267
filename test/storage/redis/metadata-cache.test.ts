/** The cache of metadata on a real Redis. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRedisMetadataCache } from '../../../src/storage/redis/redis-metadata-cache.ts';
import { type RedisServer, skipRedis, startRedis } from '../../support/redis.ts';
import { openReplica } from '../../support/replicas.ts';
import { patientMs } from '../../support/patience.ts';

async function waitUntilStored({ client }: RedisServer, entries: number): Promise<void> {
  for (const startMs = performance.now(); ; await delay(10)) {
    const { length } = await client.keys('test:metadata:*');
    if (length === entries) return;
    assert.ok(performance.now() - startMs < patientMs(10_000), `${length} entries`);
  }
}

const entry = { json: '{"title":"A\\nB"}\n', storedAtMs: Date.UTC(2026, 10, 22) };

describe('the cache of metadata in Redis', { skip: skipRedis }, () => {
  it('gives one replica what another one stored, until its time is over', async () => {
    await using server = await startRedis();
    await using one = await openReplica({ url: server.url });
    await using other = await openReplica({ url: server.url });
    await createRedisMetadataCache(one.link, 600).store('key', entry);
    const cache = createRedisMetadataCache(other.link, 600);
    assert.deepEqual(await cache.find('key'), entry);
    assert.equal(await cache.find('other'), null);
    const [key] = await server.client.keys('test:metadata:*');
    const lifetimeMs = await server.client.pttl(key ?? '');
    assert.ok(lifetimeMs > 590_000 && lifetimeMs <= 600_000, `${lifetimeMs} ms`);
  });

  it('does not store an entry above 1 MiB', async () => {
    await using server = await startRedis();
    await using replica = await openReplica({ url: server.url });
    const cache = createRedisMetadataCache(replica.link, 600);
    await cache.store('fits', { ...entry, json: 'a'.repeat(1024 * 1024 - 20) });
    await cache.store('large', { ...entry, json: 'ä'.repeat(1024 * 512) });
    assert.notEqual(await cache.find('fits'), null);
    assert.equal(await cache.find('large'), null);
  });

  it('has a limit of bytes for each replica: its oldest entries are deleted from Redis', async () => {
    await using server = await startRedis();
    await using replica = await openReplica({ url: server.url });
    const cache = createRedisMetadataCache(replica.link, 600, 350_000);
    const large = { ...entry, json: 'a'.repeat(100_000) };
    for (let n = 0; n < 10; n += 1) await cache.store(`key${n}`, large);
    await waitUntilStored(server, 3);
    for (let n = 0; n < 10; n += 1) assert.equal((await cache.find(`key${n}`)) !== null, n >= 7, `key${n}`);
    // The same entry again is not counted twice.
    for (let n = 0; n < 10; n += 1) await cache.store('key9', large);
    await waitUntilStored(server, 3);
  });

  it('is empty while Redis is away, and throws nothing', async () => {
    await using server = await startRedis();
    await using replica = await openReplica({ url: server.url });
    const cache = createRedisMetadataCache(replica.link, 600);
    await cache.store('key', entry);
    await server.kill();
    assert.equal(await cache.find('key'), null);
    await cache.store('key', entry);
  });
});
