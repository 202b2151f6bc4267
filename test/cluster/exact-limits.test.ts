/** The rate limit of three replicas behind nginx that share PostgreSQL and Redis. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { it } from 'node:test';
import { openAccountClient } from '../support/account-client.ts';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { openEngines, skipEngines } from '../support/engines.ts';
import { skipNginx, startNginx } from '../support/nginx.ts';
import { loadPart, measureUntil } from '../support/replica-calls.ts';
import { isFullRun } from '../support/sample.ts';

const REQUESTS = isFullRun ? 5000 : 1500;
const LIMIT = 100;
const ROUNDS = isFullRun ? 2 : 1;

interface Answer {
  status: number | undefined;
  remaining: number;
  resetAt: string | undefined;
}

async function call(url: string, key: string, agent: Agent): Promise<Answer> {
  const sent = get(`${url}/v1/email/validate?email=a@b.invalid`, { agent, headers: { 'x-api-key': key } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  const { statusCode: status, headers } = response;
  return {
    status,
    remaining: Number(headers['x-ratelimit-remaining']),
    resetAt: headers['x-ratelimit-reset'] as string | undefined,
  };
}

const countOutages = ({ replicas }: Cluster): number =>
  replicas.flatMap((replica) => replica.log().match(/Redis does not reply/g) ?? []).length;

it(
  `${REQUESTS} requests at once with limit ${LIMIT} over three replicas admit exactly ${LIMIT}`,
  { skip: skipNginx || skipEngines },
  async (t) => {
    await using engines = await openEngines();
    await using cluster = await openCluster(3, { ...engines.settings, PLANS: `free=${LIMIT}` });
    await using nginx = await startNginx(cluster.ports);
    const client = await openAccountClient(nginx.url, await cluster.waitForSetupTokens());
    const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
    let exact = 0;
    for (let round = 0; exact < ROUNDS; round += 1) {
      assert.ok(round < 6, 'Redis replies during the rounds');
      const { secret } = await client.createKey(nginx.url);
      await waitForRoomInMinute(30_000);
      const outages = countOutages(cluster);
      const startedAt = performance.now();
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, () => call(nginx.url, secret, agent)),
      );
      t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`);
      const counts = Map.groupBy(answers, ({ status }) => status);
      assert.deepEqual(new Set(counts.keys()), new Set([200, 429]));
      const remaining = answers.map((answer) => answer.remaining);
      assert.ok(Math.min(...remaining) >= 0 && Math.max(...remaining) < LIMIT, 'Remaining is in its range');
      assert.equal(new Set(answers.map(({ resetAt }) => resetAt)).size, 1, 'all are in one minute');
      if (countOutages(cluster) > outages) {
        // The machine was too busy for Redis: each replica counted alone. The next round starts together.
        for (const replica of cluster.replicas)
          await measureUntil(async () => (await loadPart(replica, 'redis')).ok === true);
        continue;
      }
      assert.equal(counts.get(200)?.length, LIMIT);
      exact += 1;
    }
    agent.destroy();
  },
);
