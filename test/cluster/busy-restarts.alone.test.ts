/** The rate limit of three replicas that restart one after the other while all cores are busy. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openAccountClient } from '../support/account-client.ts';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { openCluster, type Replica } from '../support/cluster.ts';
import { type RedisServer, skipRedis, startRedis } from '../support/redis.ts';
import { isFullRun } from '../support/sample.ts';

const LIMIT = 90;
const ROUNDS = isFullRun ? 3 : 1;
/** Two for each core: the service and Redis get a third of it. */
const BURNERS = 2 * availableParallelism();
/** A burner ends by itself, also if the test is killed. */
const BURN_MS = 150_000;
const PAUSE_MS = 20;

/** Keeps all cores busy until it is disposed of. */
function burnCores(): Disposable {
  const code = `const end = Date.now() + ${BURN_MS}; while (Date.now() < end);`;
  const burners = Array.from({ length: BURNERS }, () => spawn(process.execPath, ['--eval', code]));
  return { [Symbol.dispose]: () => burners.forEach((burner) => void burner.kill('SIGKILL')) };
}

/** A scheduler with work for more cores gives Redis no time for this long, again and again. */
const [STARVED_MS, SERVED_MS] = [100, 300];

/** Takes the CPU from Redis for moments until it is disposed of: chance would not do it in each run. */
function starve(redis: RedisServer): Disposable {
  let isStarved = false;
  const turn = (): void => {
    isStarved = !isStarved;
    if (isStarved) redis.freeze();
    else redis.thaw();
    timer = setTimeout(turn, isStarved ? STARVED_MS : SERVED_MS);
  };
  let timer = setTimeout(turn);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      redis.thaw();
    },
  };
}

/** Counts the admitted requests of each window, by the end of the window. */
type Admitted = Map<string, number>;

/** Sends one request after the other to a replica, also while it restarts. */
async function callUntil({ url }: Replica, key: string, admitted: Admitted, signal: AbortSignal) {
  for (; !signal.aborted; await delay(PAUSE_MS)) {
    const path = `${url}/v1/email/validate?email=a@b.invalid`;
    const response = await fetch(path, { headers: { 'x-api-key': key } }).catch(() => null);
    await response?.text().catch(() => '');
    if (response?.status !== 200) continue;
    const reset = response.headers.get('x-ratelimit-reset') ?? assert.fail();
    admitted.set(reset, (admitted.get(reset) ?? 0) + 1);
  }
}

it(
  `a rolling restart on busy cores never admits more than ${LIMIT} of ${LIMIT} in a minute`,
  { skip: skipRedis },
  async (t) => {
    await using redis = await startRedis();
    await using cluster = await openCluster(3, { REDIS_URL: redis.url, PLANS: `free=${LIMIT}` });
    const { replicas } = cluster;
    const client = await openAccountClient(replicas[0]?.url ?? '', await cluster.waitForSetupTokens());
    const { secret } = await client.createKey(replicas[0]?.url ?? '');
    await waitForRoomInMinute(45_000);
    const admitted: Admitted = new Map();
    const stopping = new AbortController();
    using _burners = burnCores();
    using _starved = starve(redis);
    const callers = replicas.map((replica) => callUntil(replica, secret, admitted, stopping.signal));
    for (let n = 0; n < ROUNDS * replicas.length; n += 1) {
      const replica = replicas[n % replicas.length] as Replica;
      assert.equal(await replica.stop(), 0, replica.log());
      await replica.start();
    }
    stopping.abort();
    await Promise.all(callers);
    const counts = [...admitted.values()];
    const outages = replicas.flatMap((replica) => replica.log().match(/Redis does not reply/g) ?? []);
    t.diagnostic(`admitted per minute: ${counts.join(', ')}; outages: ${outages.length}`);
    assert.ok(counts.includes(LIMIT), 'a minute was used up');
    assert.ok(
      counts.every((count) => count <= LIMIT),
      counts.join(),
    );
  },
);
