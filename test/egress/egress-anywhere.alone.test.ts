/**
 * The refused cases, on any machine: no socket of this process attempts a connection. If the machine permits
 * it, egress-cases.alone.test.ts checks the same with the counters of the kernel.
 */
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lookup, Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createLookupMail, parseCidr } from '#egress';
import { ApiError } from '#errors';
import { openSiteEgress, SITE_ADDRESS, statusOf, type SiteEgress } from '../support/site-egress.ts';
import { readEgressCases } from '../support/site-cases.ts';
import { scaledMs } from '../support/patience.ts';

const refused = readEgressCases().filter(
  ({ surface, verdict, input }) =>
    surface === 'meta+pdf-subresource' &&
    verdict === 'BLOCKED' &&
    // These need the public host on port 80, or not all of its ports allowed, which this fixture cannot
    // offer.
    !/^http:\/\/public\.test-zone\.com(?:\/r\?|:\d)/.test(input),
);

const BUDGET = { maxBytes: 1e6, maxRequests: 5, timeoutMs: scaledMs(5000) };

async function fetchPage({ egress }: SiteEgress, url: string): Promise<number> {
  const request = { client: 'a', url: new URL(url), followRedirects: true, timeoutMs: scaledMs(5000) };
  return (await egress.fetchPage(request, { start: () => true, write: () => true })).head.status;
}

describe('refused targets are never dialed', () => {
  let world: SiteEgress;
  const attempts: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string, port: number) => attempts.push(`${address} ${port}`));
  };

  before(async () => {
    world = await openSiteEgress({ policy: { denyCidrs: [] } });
    subscribe('net.client.socket', onSocket);
  });
  beforeEach(() => {
    attempts.length = 0;
  });
  after(async () => {
    unsubscribe('net.client.socket', onSocket);
    await world[Symbol.asyncDispose]();
  });

  it('the test sees the attempts of a permitted fetch', async () => {
    assert.equal(await fetchPage(world, world.origin), 200);
    assert.deepEqual(attempts, [`${SITE_ADDRESS} ${world.site.port}`]);
  });

  for (const { id, input } of refused) {
    // The service's own address is not denied here: see the tests of the policy.
    if (id.startsWith('self')) continue;
    it(`${id} ${JSON.stringify(input).slice(0, 80)}`, async () => {
      const fetchResource = world.egress.openResourceFetcher(BUDGET, 'a');
      const outcome = await fetchResource({ url: input, method: 'GET', headers: {} });
      assert.equal(typeof statusOf(outcome), 'string');
      if (URL.canParse(input))
        await assert.rejects(
          fetchPage(world, input),
          (error) => error instanceof ApiError && error.code === 'unreachable',
        );
      assert.deepEqual(attempts, []);
    });
  }

  it('a denied range is not dialed, though it is also allowed', async () => {
    const site = parseCidr(SITE_ADDRESS);
    assert.ok(site);
    await using denied = await openSiteEgress({ policy: { denyCidrs: [site] } });
    await assert.rejects(fetchPage(denied, denied.origin), { code: 'unreachable' });
    assert.deepEqual(attempts, []);
  });

  it('a listening socket of the service is not dialed, though its range is allowed', async () => {
    const endpoints: { address: string; port: number }[] = [];
    await using own = await openSiteEgress({ policy: { denyEndpoints: () => endpoints } });
    endpoints.push({ address: '0.0.0.0', port: own.site.port });
    await assert.rejects(fetchPage(own, own.origin), { code: 'unreachable' });
    assert.deepEqual(attempts, []);
  });

  it('proxy variables are ignored', async () => {
    const names = [
      'HTTP_PROXY',
      'http_proxy',
      'HTTPS_PROXY',
      'https_proxy',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ];
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9';
    try {
      await using proxied = await openSiteEgress();
      assert.equal(await fetchPage(proxied, proxied.origin), 200);
      assert.deepEqual(attempts, [`${SITE_ADDRESS} ${proxied.site.port}`]);
    } finally {
      for (const name of names) delete process.env[name];
    }
  });
});

describe('names', () => {
  it("are never resolved by the machine's resolver, so no hosts file and no search list apply", async () => {
    const lookups: string[] = [];
    const isLookup = (type: string) => type === 'GETADDRINFOREQWRAP' || type === 'QUERYWRAP';
    const hook = createHook({ init: (_id, type) => void (isLookup(type) && lookups.push(type)) }).enable();
    try {
      await using world = await openSiteEgress();
      const fetchResource = world.egress.openResourceFetcher(BUDGET, 'a');
      const isTrue = () => true;
      const lookupMail = createLookupMail({
        resolver: world.dns.resolver,
        isPublicAddress: isTrue,
        isUsableExchange: isTrue,
      });
      assert.equal(await fetchPage(world, world.origin), 200);
      await assert.rejects(fetchPage(world, 'http://nowhere.test-zone.com/'));
      await assert.rejects(fetchPage(world, 'http://localhost/'));
      const resource = await fetchResource({ url: `${world.origin}/`, method: 'GET', headers: {} });
      assert.equal(statusOf(resource), 200);
      assert.deepEqual(await lookupMail('public.test-zone.com'), { outcome: 'address' });
      assert.deepEqual(lookups, []);
      const resolver = new Resolver();
      resolver.setServers([`${world.dns.server.host}:${world.dns.server.port}`]);
      await Promise.allSettled([lookup('localhost'), resolver.resolve4('public.test-zone.com')]);
      assert.deepEqual(new Set(lookups), new Set(['GETADDRINFOREQWRAP', 'QUERYWRAP']), 'the hook sees both');
    } finally {
      hook.disable();
    }
  });
});
