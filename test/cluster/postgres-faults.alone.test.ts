/** Three replicas while the network to PostgreSQL fails, or PostgreSQL itself. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { type AccountClient, openAccountClient, signUpClient } from '../support/account-client.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { type Engines, openEngines, setFault, skipEngines } from '../support/engines.ts';
import { callForMs, callReplica, formatTimes, loadPart, measureUntil } from '../support/replica-calls.ts';
import { sampleTests } from '../support/sample.ts';
import { scaledMs } from '../support/patience.ts';

const FAULTS = ['refuse', 'blackHole', 'reset', 'delay', 'flap', 'SIGSTOP'] as const;
const OUTAGE_MS = 3000;
const RECOVERY_MS = scaledMs(5000);
/** Runs one fault in three, and all with TEST_FULL=1. */
const itSampled = sampleTests(3);
/** Enough for a notice on a busy machine. */
const NOTICE_MS = scaledMs(500);

describe('while PostgreSQL cannot be reached', { skip: skipEngines }, () => {
  let engines: Engines;
  let cluster: Cluster;
  let client: AccountClient;

  before(async () => {
    engines = await openEngines({ isDurable: true });
    cluster = await openCluster(3, engines.proxiedSettings);
    client = await openAccountClient(cluster.replicas[0]?.url ?? '', await cluster.waitForSetupTokens());
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await engines?.[Symbol.asyncDispose]();
  });

  for (const fault of FAULTS)
    itSampled(
      `(${fault}) known keys work, unknown ones are 503 with Retry-After, and the recovery takes at most 5 s`,
      async (t) => {
        const { replicas } = cluster;
        const [first, ...others] = replicas;
        const known = (await client.createKey(first?.url ?? '')).secret;
        const unknown = (await client.createKey(first?.url ?? '')).secret;
        // The notice of a change removes the keys of the account once more: let it arrive.
        await delay(NOTICE_MS);
        for (const replica of replicas) assert.equal((await callReplica(replica, known)).status, 200);

        await setFault(engines, 'postgres', fault);
        const [calls, refused] = await Promise.all([
          callForMs(replicas, known, OUTAGE_MS),
          callForMs(others, unknown, OUTAGE_MS),
        ]);
        t.diagnostic(`known: ${formatTimes(calls)}; unknown: ${formatTimes(refused)}`);
        const failed = calls.filter(({ status }) => status !== 200);
        assert.deepEqual(failed, [], `${failed.length} of ${calls.length} calls with a known key failed`);
        const statuses = new Set(refused.map(({ status }) => status));
        // While the network comes and goes, a lookup may succeed.
        if (fault === 'flap') statuses.delete(200);
        assert.deepEqual([...statuses], [503]);
        for (const { status, retryAfter } of refused) if (status === 503) assert.ok(Number(retryAfter) >= 1);
        if (fault !== 'flap')
          for (const replica of replicas)
            assert.deepEqual(await loadPart(replica, 'database'), { status: 503, ok: false });

        await setFault(engines, 'postgres', 'pass');
        const ms = await measureUntil(async () => {
          const states = await Promise.all(replicas.map((replica) => loadPart(replica, 'database')));
          const all = await Promise.all(others.map((replica) => callReplica(replica, unknown)));
          return states.every(({ status }) => status === 200) && all.every(({ status }) => status === 200);
        });
        t.diagnostic(`recovered after ${Math.round(ms)} ms`);
        assert.ok(ms < RECOVERY_MS, `${ms} ms`);
      },
    );

  it('(kill -9) calls with a known key do not fail, and no key that was shown is lost', async (t) => {
    const { replicas } = cluster;
    const shown: string[] = [];
    const create = async (): Promise<void> => {
      for (const { url } of replicas) shown.push((await client.createKey(url)).secret);
    };
    // Keys of an account whose keys change at this moment are not known until they are used again.
    const other = await signUpClient(replicas[0]?.url ?? '', 'other@example.com');
    const known = (await other.createKey(replicas[0]?.url ?? '')).secret;
    await delay(NOTICE_MS);
    for (const replica of replicas) assert.equal((await callReplica(replica, known)).status, 200);
    const calling = callForMs(replicas, known, OUTAGE_MS);
    // Ends with the first key whose creation the database does not confirm.
    const creating = create().catch(() => {});
    while (shown.length < 2) await setImmediate();
    await engines.postgres.kill();
    await creating;
    await delay(NOTICE_MS);
    await engines.postgres.start();
    const calls = await calling;
    t.diagnostic(`${formatTimes(calls)}; ${shown.length} keys shown`);
    assert.deepEqual(
      calls.filter(({ status }) => status !== 200),
      [],
    );
    for (const secret of shown)
      for (const replica of replicas) {
        const ms = await measureUntil(async () => (await callReplica(replica, secret)).status !== 503);
        assert.ok(ms < RECOVERY_MS, `${ms} ms`);
        assert.equal((await callReplica(replica, secret)).status, 200);
      }
  });
});
