/**
 * The connections over all hosts are bounded. A fetch that finds none free waits, or fails as
 * `overloaded`.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createAddressPolicy, openInterfaceAddresses } from '../../src/egress/guard/address-policy.ts';
import { parseTarget, vetTarget } from '../../src/egress/guard/vet-target.ts';
import { openSiteEgress, statusOf, type SiteEgress } from '../support/site-egress.ts';
import { scaledMs } from '../support/patience.ts';

const reader = { start: () => true, write: () => true };
const isOverloaded = (error: unknown) =>
  error instanceof ApiError && error.code === 'overloaded' && (error.retryAfterSeconds ?? 0) >= 1;

/** The fetcher of one document. */
const openFetcher = ({ egress, origin }: SiteEgress) => {
  const budget = { maxBytes: 1e6, maxRequests: 5, timeoutMs: scaledMs(20_000) };
  const fetchResource = egress.openResourceFetcher(budget, 'b');
  return (path: string) => fetchResource({ url: `${origin}${path}`, method: 'GET', headers: {} });
};

/** Opens a site that holds its responses until the test ends them; `/now` is answered at once. */
async function openSlowSite(limits: { maxConnections?: number; maxPageConnections?: number }) {
  const held: ServerResponse[] = [];
  let arrived = Promise.withResolvers<void>();
  const world = await openSiteEgress({
    egress: { ...limits, maxWaitMs: 60_000 },
    answer: (request, response) => {
      if (request.url === '/now') {
        response.end('now');
        return;
      }
      held.push(response);
      arrived.resolve();
      arrived = Promise.withResolvers();
    },
  });
  return {
    world,
    held,
    /** Waits until `count` requests are held. */
    async reach(count: number) {
      while (held.length < count) await arrived.promise;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const fetchPage = async (
  { egress, origin }: SiteEgress,
  path: string,
  timeoutMs = scaledMs(60_000),
  host = 'public',
) => {
  const url = new URL(path, origin.replace('public.', `${host}.`));
  return (await egress.fetchPage({ client: 'a', url, followRedirects: true, timeoutMs }, reader)).head.status;
};

describe('connections over all hosts', () => {
  it('pages beyond the limit wait until one is complete', async () => {
    await using site = await openSlowSite({ maxPageConnections: 2 });
    const pages = ['/1', '/2', '/3', '/4'].map((path) => fetchPage(site.world, path));
    await site.reach(2);
    for (let answered = 0; answered < 4; answered += 1) {
      await site.reach(answered + 1);
      assert.ok(site.held.length - answered <= 2, 'two at a time');
      site.held[answered]?.end();
    }
    assert.deepEqual(await Promise.all(pages), [200, 200, 200, 200]);
  });

  it('a fetch that finds a full queue fails at once as `overloaded`, with Retry-After', async () => {
    await using site = await openSlowSite({ maxPageConnections: 1 });
    const first = fetchPage(site.world, '/1');
    await site.reach(1);
    const waiting = ['/2', '/3'].map((path) => fetchPage(site.world, path));
    await assert.rejects(fetchPage(site.world, '/4'), isOverloaded);
    for (let answered = 0; answered < 3; answered += 1) {
      await site.reach(answered + 1);
      site.held[answered]?.end();
    }
    assert.deepEqual(await Promise.all([first, ...waiting]), [200, 200, 200]);
  });

  it('a deadline that passes in the queue is `overloaded`, not a timeout of the host', async () => {
    await using site = await openSlowSite({ maxPageConnections: 1 });
    const first = fetchPage(site.world, '/1');
    await site.reach(1);
    await assert.rejects(fetchPage(site.world, '/2', 50), isOverloaded);
    site.held[0]?.end();
    assert.equal(await first, 200);
    assert.equal(await fetchPage(site.world, '/now'), 200, 'the place is free again');
  });

  it('pages leave half of the connections to documents', async () => {
    await using site = await openSlowSite({ maxConnections: 2 });
    const pages = [fetchPage(site.world, '/1'), fetchPage(site.world, '/2')];
    await site.reach(1);
    assert.equal(statusOf(await openFetcher(site.world)('/now')), 200);
    assert.equal(site.held.length, 1, 'the second page waits');
    for (let answered = 0; answered < 2; answered += 1) {
      await site.reach(answered + 1);
      site.held[answered]?.end();
    }
    assert.deepEqual(await Promise.all(pages), [200, 200]);
  });

  it('an idle connection is closed for a fetch that waits, before or after it became idle', async () => {
    await using site = await openSlowSite({ maxConnections: 1 });
    assert.equal(await fetchPage(site.world, '/now'), 200);
    assert.equal(await fetchPage(site.world, '/now', 60_000, 'www.public'), 200);
    const busy = fetchPage(site.world, '/1');
    await site.reach(1);
    const other = fetchPage(site.world, '/now', 60_000, 'www.public');
    site.held[0]?.end();
    assert.deepEqual(await Promise.all([busy, other]), [200, 200]);
    assert.equal(site.world.site.connections, 4, 'the hosts alternate');
  });

  it('an idle connection of a document is closed for a page if no page has one', async () => {
    await using site = await openSlowSite({ maxConnections: 1 });
    assert.equal(statusOf(await openFetcher(site.world)('/now')), 200);
    // Idle connections end by themselves after three seconds.
    assert.equal(await fetchPage(site.world, '/now', 2_000), 200);
    assert.equal(site.world.site.connections, 2);
  });

  it('an idle connection of a page is closed for a page, rather than an older one of a document', async () => {
    await using site = await openSlowSite({ maxConnections: 2, maxPageConnections: 2 });
    const fetchResource = openFetcher(site.world);
    assert.equal(statusOf(await fetchResource('/now')), 200);
    assert.equal(await fetchPage(site.world, '/now'), 200);
    assert.equal(await fetchPage(site.world, '/now', 60_000, 'www.public'), 200);
    assert.equal(site.world.site.connections, 3);
    assert.equal(statusOf(await fetchResource('/now')), 200);
    assert.equal(site.world.site.connections, 3, 'the document reuses its connection');
  });

  it('an overloaded resolver is `overloaded` too', async () => {
    const interfaces = openInterfaceAddresses();
    interfaces.close();
    const policy = createAddressPolicy(
      { allowCidrs: [], denyCidrs: [], ports: [80], denyEndpoints: () => [] },
      interfaces,
    );
    const target = parseTarget(new URL('http://public.test-zone.com/'));
    const lookup = () => Promise.resolve({ outcome: 'failure' as const, reason: 'overloaded' });
    await assert.rejects(vetTarget(target, policy, lookup, new AbortController().signal), isOverloaded);
  });
});
