/**
 * A public address on an interface of this machine, in a network namespace: nothing is sent to it, and the
 * error is that of any other host that does not answer.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiError } from '#errors';
import { openEgress, parseCidr, type Egress, type EgressOptions } from '#egress';
import { startDnsBench, type DnsBench } from '../support/dns-resolver.ts';
import { openSite, type Site } from '../support/site.ts';
import { statusOf } from '../support/site-egress.ts';
import {
  findSmallInternetObstacle,
  isInSmallInternet,
  readKernelCounters,
  runInSmallInternet,
} from '../support/small-internet.ts';
import { patientMs } from '../support/patience.ts';

const OWN = ['93.184.215.50', '2606:2800:21f::50'] as const;
const PORTS = [80, 8080, 9000];
const DEAD_HOST =
  'The target URL could not be reached: its name does not resolve, or its host does not answer.';

if (!isInSmallInternet) {
  it('passes in a small internet', { skip: findSmallInternetObstacle() }, async () => {
    await runInSmallInternet(fileURLToPath(import.meta.url));
  });
} else {
  describe('the machine’s own public addresses', () => attack());
}

function changeInterface(action: 'add' | 'del'): void {
  for (const [index, address] of OWN.entries()) {
    const parts = index === 0 ? ['addr', action, `${address}/32`] : ['-6', 'addr', action, `${address}/128`];
    const { status, stderr } = spawnSync('ip', [...parts, 'dev', 'lo'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
}

function attack(): void {
  let dns: DnsBench;
  let site: Site;
  let egress: Egress;

  before(async () => {
    const zones = { 'own.test-zone.com': { A: [OWN[0]] }, 'own6.test-zone.com': { AAAA: [OWN[1]] } };
    dns = await startDnsBench({ zones });
    site = await openSite({ listenOn: '::', ports: PORTS, addresses: [...OWN] });
    egress = openWith({});
  });
  after(async () => {
    egress.close();
    await site.close();
    await dns[Symbol.asyncDispose]();
  });

  function openWith(policy: Partial<EgressOptions['policy']>): Egress {
    return openEgress({
      resolver: dns.resolver,
      policy: { allowCidrs: [], denyCidrs: [], ports: [80, 8080], denyEndpoints: () => [], ...policy },
      interfaces: { intervalMs: 10 },
      userAgent: 'test',
      connectionsPerHost: 6,
      keepAliveMs: 60_000,
      now: Date.now,
    });
  }

  const fetchStatus = async (url: string, from = egress): Promise<number | string> => {
    const request = { client: 'a', url: new URL(url), followRedirects: true, timeoutMs: patientMs(10_000) };
    try {
      return (await from.fetchPage(request, { start: () => true, write: () => true })).head.status;
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error));
      return `${error.code} ${error.message}`;
    }
  };
  const until = async (url: string, wanted: number | string) => {
    let seen = await fetchStatus(url);
    for (let tries = 0; seen !== wanted && tries < patientMs(500); tries += 1) {
      await sleep(10);
      seen = await fetchStatus(url);
    }
    assert.equal(seen, wanted);
  };

  it('are refused after the next update of the interfaces, also on kept connections, without a packet', async () => {
    for (const host of ['93.184.215.50', '[2606:2800:21f::50]', 'own.test-zone.com', 'own6.test-zone.com'])
      assert.equal(await fetchStatus(`http://${host}/`), 200, 'not yet on an interface');
    changeInterface('add');
    await until('http://93.184.215.50/', `unreachable ${DEAD_HOST}`);
    const sent = readKernelCounters().tcpConnects;
    const requests = site.requests.length;
    for (const host of [
      '93.184.215.50',
      '[2606:2800:21f::50]',
      '[::ffff:93.184.215.50]',
      '[64:ff9b::93.184.215.50]',
      '1572394802',
      'own.test-zone.com',
      'own6.test-zone.com',
    ]) {
      for (const port of [80, 8080])
        assert.equal(await fetchStatus(`http://${host}:${port}/`), `unreachable ${DEAD_HOST}`, host);
      const fetchResource = egress.openResourceFetcher(
        { maxBytes: 1e6, maxRequests: 5, timeoutMs: patientMs(10_000) },
        'a',
      );
      const outcome = await fetchResource({ url: `http://${host}/`, method: 'GET', headers: {} });
      assert.equal(`The target URL ${statusOf(outcome)}.`, DEAD_HOST, host);
    }
    assert.equal(readKernelCounters().tcpConnects, sent, 'the kernel attempted no connection');
    assert.equal(site.requests.length, requests);
  });

  it('can be allowed by the operator, with all their ports', async () => {
    const blocks = OWN.map((address) => parseCidr(address));
    const opened = openWith({ allowCidrs: blocks.filter((block) => block !== null) });
    assert.equal(await fetchStatus('http://93.184.215.50:9000/', opened), 200);
    assert.equal(await fetchStatus('http://[2606:2800:21f::50]:9000/', opened), 200);
    opened.close();
  });

  it('are public again when they are no longer on the interface', async () => {
    changeInterface('del');
    await until('http://93.184.215.50/', 200);
  });
}
