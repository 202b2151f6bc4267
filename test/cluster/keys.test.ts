/** Keys on replicas that share a database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccountClient, openAccountClient } from '../support/account-client.ts';
import { type Cluster, openCluster, type Replica } from '../support/cluster.ts';

let cluster: Cluster;
let client: AccountClient;

before(async () => {
  cluster = await openCluster(3);
  client = await openAccountClient(cluster.replicas[0]?.url ?? '', cluster.findSetupTokens());
});
after(() => cluster?.[Symbol.asyncDispose]());

async function call({ url }: Replica, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/email/validate?email=a@b.invalid`, {
    headers: { 'x-api-key': key },
  });
  await response.text();
  return response.status;
}

/** Returns the time until every replica answers with this status, in milliseconds. */
async function measureUntil(status: number, key: string): Promise<number> {
  const startedAt = performance.now();
  const waits = cluster.replicas.map(async (replica) => {
    while ((await call(replica, key)) !== status) await delay(20);
    return performance.now() - startedAt;
  });
  return Math.max(...(await Promise.all(waits)));
}

describe('three replicas with one database', () => {
  it('a key that is created on one works on all within 1 s', async (t) => {
    for (const { url } of cluster.replicas) {
      const { secret } = await client.createKey(url);
      const ms = await measureUntil(200, secret);
      t.diagnostic(`${Math.round(ms)} ms`);
      assert.ok(ms < 1000, `${ms} ms`);
    }
  });

  it('a key that is revoked on one stops working on all within 5 s', async (t) => {
    for (const { url } of cluster.replicas) {
      const { id, secret } = await client.createKey(url);
      await measureUntil(200, secret);
      await client.revokeKey(url, id);
      const ms = await measureUntil(401, secret);
      t.diagnostic(`${Math.round(ms)} ms`);
      assert.ok(ms < 5000, `${ms} ms`);
    }
  });
});
