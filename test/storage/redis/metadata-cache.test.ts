/** The cache of metadata on a real Redis. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRedisMetadataCache } from '../../../src/storage/redis/redis-metadata-cache.ts';
import { skipRedis, startRedis } from '../../support/redis.ts';
import { openReplica } from '../../support/replicas.ts';

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
