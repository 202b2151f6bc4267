/** The throttles of sign-in and mails on a real Redis. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ServerClock } from '#limits';
import {
  FAILURE_LIMITS,
  type FailureCounts,
  createFailureThrottle,
  createFallbackCounts,
  createMemoryFailureCounts,
} from '../../../src/accounts/sign-in/failure-throttle.ts';
import { createRedisFailureCounts } from '../../../src/storage/redis/redis-failure-counts.ts';
import { RedisLink } from '../../../src/storage/redis/redis-link.ts';
import { describeFailureThrottle } from '../../support/failure-throttle-contract.ts';
import { skipRedis, startRedis, type RedisServer } from '../../support/redis.ts';

const skip = skipRedis;
let server: RedisServer;
const links: RedisLink[] = [];

before(async () => {
  if (!skip) server = await startRedis();
});
after(async () => {
  await Promise.all(links.map((link) => link.close()));
  await server?.[Symbol.asyncDispose]();
});

async function openLink(prefix: string, serverTimeMs?: () => number): Promise<RedisLink> {
  const clock = new ServerClock(() => performance.now());
  const time = serverTimeMs && { serverTimeMs };
  const link = new RedisLink({ url: server.url, prefix, clock, timeoutMs: 10_000, log: () => {}, ...time });
  links.push(link);
  await link.open();
  return link;
}

/** Opens counts at the first call. */
function openCounts(now: () => number): FailureCounts {
  const opened = openLink(`test${links.length}:`, now).then((link) =>
    createRedisFailureCounts(link, 'secret', FAILURE_LIMITS),
  );
  return {
    beginAttempt: async (...names) => (await opened).beginAttempt(...names),
    recordOwner: async (...names) => (await opened).recordOwner(...names),
    isOwner: async (...names) => (await opened).isOwner(...names),
    count: async (...event) => (await opened).count(...event),
  };
}

describeFailureThrottle('Redis', openCounts, skip);

describe('the throttle of three replicas', { skip }, () => {
  it('concurrent guesses over replicas get as many tries as consecutive ones', async () => {
    const replicas = await Promise.all([1, 2, 3].map(() => openLink('shared:')));
    const throttles = replicas.map((link) =>
      createFailureThrottle(createRedisFailureCounts(link, 'secret', FAILURE_LIMITS)),
    );
    const attempts = await Promise.allSettled(
      Array.from({ length: 300 }, async (_, n) =>
        throttles[n % 3]?.beginAttempt(`192.0.2.${n % 250}`, 'ann@example.com'),
      ),
    );
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 5);
    const mails = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => throttles[n % 3]?.consumeMail('ann@example.com', 'reset')),
    );
    assert.equal(mails.filter(Boolean).length, 3);
  });

  it('Redis holds no email address and no IP address, and each key expires', async () => {
    const link = await openLink('private:');
    const throttle = createFailureThrottle(createRedisFailureCounts(link, 'secret', FAILURE_LIMITS));
    await throttle.beginAttempt('192.0.2.7', 'ann@example.com');
    await throttle.recordOwner('192.0.2.7', 'bob@example.com');
    await throttle.consumeMail('ann@example.com', 'reset');
    const keys = await server.client.keys('private:{*');
    assert.ok(keys.length >= 4);
    for (const key of keys) {
      assert.doesNotMatch(key, /192\.0|example|ann|bob/);
      assert.ok((await server.client.pttl(key)) > 0, key);
    }
  });

  it('while Redis is away each replica applies the limits alone', async () => {
    const link = await openLink('away:');
    const local = createMemoryFailureCounts(() => 0);
    const counts = createFallbackCounts(createRedisFailureCounts(link, 'secret', FAILURE_LIMITS), local);
    const throttle = createFailureThrottle(counts);
    await throttle.recordOwner('192.0.2.7', 'ann@example.com');
    await link.close();
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => throttle.beginAttempt(`198.51.100.${n}`, 'ann@example.com')),
    );
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 5);
    assert.equal(await throttle.isOwner('192.0.2.7', 'ann@example.com'), true);
    await throttle.beginAttempt('192.0.2.7', 'ann@example.com');
  });
});
