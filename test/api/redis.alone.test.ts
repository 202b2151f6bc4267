/** Two services on one database and one Redis. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { skipRedis, startRedis } from '../support/redis.ts';
import { waitUntil } from '../support/replicas.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { patientMs } from '../support/patience.ts';

const PATH = '/v1/email/validate?email=ann@example.com&check_mx=false';

interface Parts {
  redis: { ok: boolean; required: boolean; reason?: string; replicas: number };
}

async function loadReadiness(service: TestApp): Promise<{ status: number; redis: Parts['redis'] }> {
  const response = await service.call('/readyz');
  const { parts } = (await response.json()) as { parts: Parts };
  return { status: response.status, redis: parts.redis };
}

/** Returns the part of a limit of 60 that is left for a service which starts now. */
const computePart = (): number => Math.max(1, Math.floor(60 - (Date.now() % 60_000) / 1000));

/** A window that does not end during a test of a few seconds. */
async function waitForFreshWindow(): Promise<void> {
  await waitUntil(() => Date.now() % 60_000 < 45_000, patientMs(20_000));
}

describe('services that share Redis', { skip: skipRedis }, () => {
  it('admit the limit of a key together, and name Redis in /readyz', async () => {
    await using redis = await startRedis();
    const dataDir = await mkdtemp(join(tmpdir(), 'utility-api-shared-'));
    const settings = { REDIS_URL: redis.url, DATA_DIR: dataDir };
    {
      await using one = await startApp(settings);
      await using two = await startApp(settings);
      const key = await one.createKey('free');
      await waitForFreshWindow();
      const responses = await Promise.all(
        Array.from({ length: 90 }, (_, n) => (n % 2 ? one : two).call(PATH, key)),
      );
      assert.equal(responses.filter(({ status }) => status === 200).length, 60);
      for (const { status, headers } of responses) {
        assert.equal(headers.get('x-ratelimit-limit'), '60');
        if (status === 429) assert.ok(Number(headers.get('retry-after')) >= 1);
      }
      const { redis: part } = await loadReadiness(one);
      assert.deepEqual({ ok: part.ok, required: part.required }, { ok: true, required: false });
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  it('continue with a part of the limit while Redis is away: no 5xx, and /readyz says why', async () => {
    await using redis = await startRedis();
    await waitForFreshWindow();
    const most = computePart();
    await using service = await startApp({ REDIS_URL: redis.url });
    const key = await service.createKey('free');
    const least = computePart();
    await redis.kill();
    const responses = await Promise.all(Array.from({ length: 90 }, () => service.call(PATH, key)));
    const admitted = responses.filter(({ status }) => status === 200).length;
    assert.ok(admitted >= least && admitted <= most, `${least} to ${most}: ${admitted}`);
    assert.equal(responses.filter(({ status }) => status === 429).length, 90 - admitted);
    assert.equal((await service.call(PATH, 'wrong')).status, 401);
    const { status, redis: part } = await loadReadiness(service);
    assert.equal(status, 200);
    assert.equal(part.ok, false);
    assert.match(part.reason ?? '', /Redis does not reply/);
  });

  it('start without Redis, count alone, and use it when it replies', async () => {
    await using redis = await startRedis();
    await redis.kill();
    await waitForFreshWindow();
    const most = computePart();
    await using service = await startApp({ REDIS_URL: redis.url });
    const key = await service.createKey('free');
    const least = computePart();
    const responses = await Promise.all(Array.from({ length: 90 }, () => service.call(PATH, key)));
    const admitted = responses.filter(({ status }) => status === 200).length;
    assert.ok(admitted >= least && admitted <= most, `${least} to ${most}: ${admitted}`);
    const { status, redis: part } = await loadReadiness(service);
    assert.deepEqual({ status, ok: part.ok }, { status: 200, ok: false });
    await redis.restart();
    while (!(await loadReadiness(service)).redis.ok) await delay(20);
  });

  it('do not start if Redis refuses the password or the database', async () => {
    await using redis = await startRedis(['--requirepass', 'right']);
    const right = redis.url.replace('//', '//:right@');
    for (const [url, reason] of [
      [redis.url, /NOAUTH/],
      [redis.url.replace('//', '//:wrong@'), /WRONGPASS/],
      [`${right}/99`, /DB index/],
    ] as const)
      await assert.rejects(startApp({ REDIS_URL: url }), (error: Error) => {
        assert.equal(error.name, 'StartError');
        assert.match(error.message, reason);
        assert.match(error.message, /REDIS_URL/);
        return true;
      });
    await using service = await startApp({ REDIS_URL: `${right}/3` });
    assert.equal((await loadReadiness(service)).redis.ok, true);
  });

  it('start while Redis is away', async () => {
    await using redis = await startRedis();
    await redis.kill();
    await using service = await startApp({ REDIS_URL: redis.url });
    const key = await service.createKey('free');
    assert.equal((await service.call(PATH, key)).status, 200);
  });
});
