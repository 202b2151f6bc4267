/**
 * An account whose requests to a host hang does not block that host for other accounts, and a render does not
 * delay other renders.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ApiError } from '#errors';
import { openSiteEgress, statusOf, type SiteEgress, type SiteEgressOptions } from '../support/site-egress.ts';
import { scaledMs } from '../support/patience.ts';

const reader = { start: () => true, write: () => true };
const page = gzipSync('<title>x</title>'.repeat(1000));

/** Hangs before the head, after it, or within an encoded body, depending on the path; answers /now. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = '' } = request;
  if (url.startsWith('/now')) response.end('now');
  else if (url.startsWith('/head')) response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
  else if (url.startsWith('/body'))
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .write(page.subarray(0, 50));
  else if (url.startsWith('/redirect')) response.writeHead(302, { location: '/hang' }).end();
}

async function openWorld(options: SiteEgressOptions = {}) {
  const open = new Set<Socket>();
  let most = 0;
  const world = await openSiteEgress({
    answer(request, response) {
      open.add(request.socket);
      most = Math.max(most, open.size);
      request.socket.once('close', () => open.delete(request.socket));
      answer(request, response);
    },
    ...options,
  });
  return {
    world,
    get most() {
      return most;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function fetchStatus(world: SiteEgress, client: string, path: string, signal?: AbortSignal) {
  const url = new URL(path, world.origin);
  const request = { client, url, followRedirects: true, timeoutMs: scaledMs(20_000) };
  return world.egress.fetchPage(request, reader, signal).then(
    ({ head, end }) => `${head.status} ${end}`,
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(setImmediate);
};

describe('the connections to one host', () => {
  for (const path of ['/hang', '/head', '/body', '/redirect']) {
    it(`are reclaimed from a client whose requests hang (${path})`, async () => {
      await using site = await openWorld();
      const { world } = site;
      const hanging = Array.from({ length: 30 }, (_, index) =>
        fetchStatus(world, 'greedy', `${path}${index}`),
      );
      const isHanging = ({ path: seen }: { path: string }) => !/^\/(?:now|redirect)/.test(seen);
      const countHanging = () => world.site.requests.filter(isHanging).length;
      await until(() => countHanging() === 5);
      assert.equal(await fetchStatus(world, 'first', '/now'), '200 complete', 'one place is free');
      const second = fetchStatus(world, 'second', '/hang');
      await until(() => countHanging() === 6);
      assert.equal(await fetchStatus(world, 'third', '/now'), '200 complete', 'after a second');
      assert.equal(await Promise.race(hanging), 'rate_limit_exceeded');
      assert.equal(site.most, 6, 'never more than six at once');
      world.egress.close();
      assert.equal(await second, 'unreachable');
      await Promise.all(hanging);
    });
  }

  it('are released by a client whose names do not resolve in time', async () => {
    await using site = await openWorld({ egress: { connectionsPerHost: 2 } });
    const { world } = site;
    const slow = (client: string) => {
      const url = new URL('http://slow.test-zone.com/');
      const request = { client, url, followRedirects: true, timeoutMs: 3000 };
      return world.egress.fetchPage(request, reader).catch((error: unknown) => (error as ApiError).code);
    };
    assert.deepEqual(await Promise.all(['a', 'a', 'b', 'b'].map(slow)), Array(4).fill('timeout'));
    assert.equal(await fetchStatus(world, 'a', '/now'), '200 complete');
  });

  it('are not lost if callers abort at any moment', async () => {
    await using site = await openWorld({ egress: { connectionsPerHost: 3 } });
    const { world } = site;
    const asked = Array.from({ length: 120 }, async (_, index) => {
      const controller = new AbortController();
      const path = ['/now', '/hang', '/body', '/redirect', '/head'][index % 5] as string;
      const fetching = fetchStatus(world, `client ${index % 7}`, path, controller.signal);
      for (let turns = 0; turns < (index * 7) % 50; turns += 1) await new Promise(setImmediate);
      controller.abort(new Error('left'));
      return fetching;
    });
    await Promise.all(asked);
    assert.ok(site.most <= 3);
    const after = ['a', 'b', 'c', 'a', 'b', 'c'].map((client) => fetchStatus(world, client, '/now'));
    assert.deepEqual(await Promise.all(after), Array(6).fill('200 complete'));
  });

  it('a client with a full queue fails at once', async () => {
    await using site = await openWorld();
    const { world } = site;
    const hanging = Array.from({ length: 106 }, () => fetchStatus(world, 'greedy', '/hang'));
    assert.equal(await Promise.race(hanging), 'rate_limit_exceeded');
    assert.equal(await fetchStatus(world, 'other', '/now'), '200 complete');
    world.egress.close();
    const codes = await Promise.all(hanging);
    assert.equal(codes.filter((code) => code === 'rate_limit_exceeded').length, 1);
  });
});

describe('the connections of renders', () => {
  const budget = { maxBytes: 1e6, maxRequests: 500, timeoutMs: scaledMs(60_000) };

  it('are bounded per render, so that one whose resources hang does not delay others', async () => {
    await using site = await openWorld({
      egress: { maxConnections: 40, maxPageConnections: 20, maxRenders: 2 },
    });
    const { world } = site;
    const hanging = world.egress.openResourceFetcher(budget, 'greedy');
    const left = new AbortController();
    const asked = Array.from({ length: 60 }, (_, index) => {
      const host = ['127.93.184.15', 'public.test-zone.com', 'www.public.test-zone.com'][index % 3];
      const url = `http://${host}:${world.site.port}/hang`;
      return hanging({ url, method: 'GET', headers: {} }, left.signal);
    });
    await until(() => world.site.requests.length >= 10);
    const other = world.egress.openResourceFetcher(budget, 'other');
    const loaded = await other({ url: `${world.origin}/now`, method: 'GET', headers: {} });
    assert.equal(statusOf(loaded), 200);
    assert.ok(world.site.connections <= 11, String(world.site.connections));
    left.abort();
    assert.deepEqual(new Set((await Promise.all(asked)).map(statusOf)), new Set(['did not answer in time']));
    assert.equal(statusOf(await hanging({ url: `${world.origin}/now`, method: 'GET', headers: {} })), 200);
  });

  it('are used in document order', async () => {
    await using site = await openWorld({ egress: { connectionsPerHost: 2 } });
    const { world } = site;
    const fetchResource = world.egress.openResourceFetcher(budget, 'a');
    const paths = Array.from({ length: 20 }, (_, index) => `/now${index}`);
    const asked = paths.map((path) =>
      fetchResource({ url: `${world.origin}${path}`, method: 'GET', headers: {} }),
    );
    assert.ok((await Promise.all(asked)).every((resource) => statusOf(resource) === 200));
    assert.deepEqual(
      world.site.requests.map(({ path }) => path),
      paths,
    );
  });
});
