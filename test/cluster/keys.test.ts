/** Keys on replicas that share a database: the embedded one, or PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AccountClient, openAccountClient } from '../support/account-client.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../support/postgres.ts';
import { callReplica, measureUntil } from '../support/replica-calls.ts';

defineKeyTests('embedded database', async () => ({}), false);

let postgres: TestPostgres;
defineKeyTests(
  'PostgreSQL database',
  async () => {
    postgres = await openPostgresServer();
    return { DATABASE_URL: await postgres.createDatabase() };
  },
  skipPostgres,
);
after(() => postgres?.[Symbol.asyncDispose]());

function defineKeyTests(
  database: string,
  openDatabase: () => Promise<Record<string, string>>,
  skip: string | false,
): void {
  describe(`three replicas with one ${database}`, { skip }, () => {
    let cluster: Cluster;
    let client: AccountClient;

    before(async () => {
      cluster = await openCluster(3, await openDatabase());
      client = await openAccountClient(cluster.replicas[0]?.url ?? '', await cluster.waitForSetupTokens());
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    /** Returns the time until every replica answers with this status, in milliseconds. */
    const measureStatus = (status: number, key: string): Promise<number> =>
      measureUntil(async () => {
        const calls = await Promise.all(cluster.replicas.map((replica) => callReplica(replica, key)));
        return calls.every((call) => call.status === status);
      });

    it('a key that is created on one works on all within 1 s', async (t) => {
      for (const { url } of cluster.replicas) {
        const { secret } = await client.createKey(url);
        const ms = await measureStatus(200, secret);
        t.diagnostic(`${Math.round(ms)} ms`);
        assert.ok(ms < 1000, `${ms} ms`);
      }
    });

    it('a key that is revoked on one stops working on all within 5 s', async (t) => {
      for (const { url } of cluster.replicas) {
        const { id, secret } = await client.createKey(url);
        await measureStatus(200, secret);
        await client.revokeKey(url, id);
        const ms = await measureStatus(401, secret);
        t.diagnostic(`${Math.round(ms)} ms`);
        assert.ok(ms < 5000, `${ms} ms`);
      }
    });
  });
}
