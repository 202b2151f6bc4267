/** Replicas behind nginx (deploy/nginx.conf), restarted one after the other under load. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openAccountClient } from '../support/account-client.ts';
import { openCluster, type Replica } from '../support/cluster.ts';
import { openEngines, skipEngines } from '../support/engines.ts';
import { skipNginx, startNginx } from '../support/nginx.ts';
import { isFullRun } from '../support/sample.ts';
import { startSteadyClients } from '../support/steady-clients.ts';

const RESTARTS = isFullRun ? 25 : 1;
/** The pause of a client: most of the CPU time of the test is that of the requests. */
const PAUSE_MS = isFullRun ? 10 : 200;

/** As deploy/nginx.conf asks for. */
const SETTINGS = { SHUTDOWN_DELAY_MS: '3000' };

const REQUESTS = [
  { method: 'GET', path: '/v1/email/validate?email=a@b.invalid' },
  { method: 'POST', path: '/v1/email/validate/batch', body: '{"emails":["a@b.invalid","c@d.invalid"]}' },
];

it(
  `rolling restarts (${RESTARTS}) under 20 clients, half of them keep-alive: no request fails`,
  { skip: skipNginx },
  async (t) => {
    // Without PostgreSQL, the replicas share the embedded database.
    await using engines = skipEngines ? null : await openEngines();
    await using cluster = await openCluster(3, { ...SETTINGS, ...engines?.settings });
    await using nginx = await startNginx(cluster.ports);
    const client = await openAccountClient(nginx.url, await cluster.waitForSetupTokens());
    const { secret } = await client.createKey(nginx.url);
    const clients = startSteadyClients({
      url: nginx.url,
      key: secret,
      requests: REQUESTS,
      clients: { keepAlive: 10, close: 10 },
      pauseMs: PAUSE_MS,
    });
    for (let n = 0; n < RESTARTS; n += 1) {
      const replica = cluster.replicas[n % cluster.replicas.length] as Replica;
      assert.equal(await replica.stop(), 0, replica.log());
      await replica.start();
    }
    const outcomes = await clients.stop();
    t.diagnostic(`outcomes: ${JSON.stringify(outcomes)}`);
    const repeated = (await nginx.loadAccessLog()).filter(({ tries }) => tries.length > 1).length;
    const errors = (await nginx.loadErrorLog()).split('\n').filter((line) => line.includes('[error]'));
    const lost = errors.filter((line) => !line.includes('Connection refused'));
    t.diagnostic(`sent to a second replica: ${repeated}; of them lost by the first: ${lost.length}`);
    for (const line of lost) t.diagnostic(line);
    assert.deepEqual(Object.keys(outcomes), ['200'], [...lost].join('\n'));
    assert.ok((outcomes['200'] ?? 0) > RESTARTS * 100, 'the clients were at work during every restart');
  },
);
