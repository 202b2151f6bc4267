/** Three replicas while the network to Redis fails, or Redis itself. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccountClient, openAccountClient } from '../support/account-client.ts';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { type Cluster, openCluster, type Replica } from '../support/cluster.ts';
import { type Engines, openEngines, setFault, skipEngines } from '../support/engines.ts';
import { skipNginx, startNginx } from '../support/nginx.ts';
import {
  type Call,
  callReplica,
  countReplicas,
  formatTimes,
  loadPart,
  measureUntil,
} from '../support/replica-calls.ts';
import { sampleTests } from '../support/sample.ts';
import { startSteadyClients } from '../support/steady-clients.ts';
import { scaledMs } from '../support/patience.ts';

const FAULTS = ['refuse', 'blackHole', 'reset', 'delay', 'flap', 'SIGSTOP'] as const;
/** Runs one fault in three, and all with TEST_FULL=1. */
const itSampled = sampleTests(3);
const LIMIT = 90;
const RECOVERY_MS = scaledMs(5000);
const OUTAGE_MS = 1000;
/** Added to a request while Redis fails, at most; the median of requests on a busy machine. */
const ADDED_MS = scaledMs(260);

async function callTimes(replica: Replica, key: string, count: number): Promise<Call[]> {
  const calls: Call[] = [];
  while (calls.length < count) calls.push(await callReplica(replica, key));
  return calls;
}

const countAdmitted = (calls: readonly Call[]): number => calls.filter(({ status }) => status === 200).length;

describe('while Redis cannot be reached', { skip: skipEngines }, () => {
  let engines: Engines;
  let cluster: Cluster;
  let client: AccountClient;
  let startedAtMs = 0;

  before(async () => {
    engines = await openEngines();
    startedAtMs = Date.now();
    cluster = await openCluster(3, { ...engines.proxiedSettings, PLANS: `free=${LIMIT}` });
    client = await openAccountClient(cluster.replicas[0]?.url ?? '', await cluster.waitForSetupTokens());
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await engines?.[Symbol.asyncDispose]();
  });

  for (const fault of FAULTS)
    itSampled(
      `(${fault}) each replica admits limit ÷ replicas, no request fails, and the recovery takes at most 5 s`,
      async (t) => {
        const { replicas } = cluster;
        const { secret } = await client.createKey(replicas[0]?.url ?? '');
        await waitForReplicas();
        await waitForRoomInMinute(20_000);
        // A replica that started in this minute would admit a part of its part.
        if (Date.now() - startedAtMs < 60_000) await waitForRoomInMinute(60_000);
        await setFault(engines, 'redis', fault);
        const calls = await Promise.all(replicas.map((replica) => callTimes(replica, secret, LIMIT)));
        t.diagnostic(`admitted ${calls.map(countAdmitted).join(', ')}; ${formatTimes(calls.flat())}`);
        const statuses = new Set(calls.flat().map(({ status }) => status));
        assert.deepEqual(statuses, new Set([200, 429]));
        // While Redis comes and goes, a replica may also use units that it was leased.
        for (const own of calls)
          if (fault === 'flap') assert.ok(countAdmitted(own) <= LIMIT);
          else assert.equal(countAdmitted(own), LIMIT / replicas.length);
        const times = calls.flat().map(({ ms }) => ms);
        assert.ok((times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0) < ADDED_MS);
        if (fault !== 'flap')
          for (const replica of replicas)
            assert.deepEqual(await loadPart(replica, 'redis'), { status: 200, ok: false });

        await setFault(engines, 'redis', 'pass');
        const ms = await measureRecovery();
        t.diagnostic(`recovered after ${Math.round(ms)} ms`);
        assert.ok(ms < RECOVERY_MS, `${ms} ms`);
      },
    );

  it(
    '(kill -9, then empty) no request through nginx fails, the limit is not off, and the recovery takes at most 5 s',
    { skip: skipNginx },
    async (t) => {
      await using nginx = await startNginx(cluster.ports);
      const { secret } = await client.createKey(cluster.replicas[0]?.url ?? '');
      await waitForReplicas();
      await waitForRoomInMinute(20_000);
      const requests = [{ method: 'GET', path: '/v1/email/validate?email=a@b.invalid' }];
      const clients = { keepAlive: 4, close: 4 };
      const load = startSteadyClients({ url: nginx.url, key: secret, requests, clients, pauseMs: 40 });
      const isAway = async (): Promise<boolean> => {
        const states = await Promise.all(cluster.replicas.map((replica) => loadPart(replica, 'redis')));
        return states.every(({ ok }) => ok === false);
      };
      await engines.redis.kill();
      await measureUntil(isAway);
      await delay(OUTAGE_MS);
      await engines.redis.restart();
      const ms = await measureRecovery();
      await delay(OUTAGE_MS);
      const outcomes = await load.stop();
      t.diagnostic(`${JSON.stringify(outcomes)}; recovered after ${Math.round(ms)} ms`);
      assert.deepEqual(new Set(Object.keys(outcomes)), new Set(['200', '429']));
      // What was admitted before the outage is known to the replica that admitted it, not to the others.
      assert.ok((outcomes['200'] ?? 0) <= 2 * LIMIT);
      assert.ok(ms < RECOVERY_MS, `${ms} ms`);
    },
  );

  /** A replica that has just started, or has Redis back, hears of the others within a second. */
  async function waitForReplicas(): Promise<void> {
    const { replicas } = cluster;
    await measureUntil(async () => {
      const counts = await Promise.all(replicas.map(countReplicas));
      return counts.every((count) => count === replicas.length);
    });
  }

  /** Returns the time until every replica has Redis back, in milliseconds. */
  function measureRecovery(): Promise<number> {
    return measureUntil(async () => {
      const states = await Promise.all(cluster.replicas.map((replica) => loadPart(replica, 'redis')));
      return states.every(({ ok }) => ok === true);
    });
  }
});
