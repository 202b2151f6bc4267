/**
 * Every attack on the guard that is a URL, in a network namespace in which every address answers. The
 * counters of the kernel tell what was sent.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiError } from '#errors';
import { openEgress, parseCidr, type Egress, type EgressOptions } from '#egress';
import { DEFAULT_LIMITS } from '../../src/egress/dns/resolver.ts';
import { getMetadata } from '#metadata';
import { startDnsBench, type DnsBench } from '../support/dns-resolver.ts';
import { openSite, type Site } from '../support/site.ts';
import { statusOf } from '../support/site-egress.ts';
import { readEgressCases, type EgressCase } from '../support/site-cases.ts';
import { answerRebind, caseZones, PUBLIC_ADDRESSES } from '../support/site-zones.ts';
import {
  findSmallInternetObstacle,
  hasSwallowingHost,
  isInSmallInternet,
  readKernelCounters,
  runInSmallInternet,
} from '../support/small-internet.ts';
import { patientMs, scaledMs } from '../support/patience.ts';

/** The deadline of a fetch. */
const TIMEOUT_MS = scaledMs(10_000);
const DEAD_HOST =
  'The target URL could not be reached: its name does not resolve, or its host does not answer.';
/** The ports of the cases, and those of typical private services. */
const PORTS = [80, 443, 1, 22, 25, 53, 3306, 5432, 6379, 8080, 8443, 9200, 9222, 11_211, 27_017];
const cases = readEgressCases().filter(({ surface }) => surface === 'meta+pdf-subresource');

if (!isInSmallInternet) {
  it('passes every case in a small internet', { skip: findSmallInternetObstacle() }, async () => {
    await runInSmallInternet(fileURLToPath(import.meta.url));
  });
} else {
  describe('the guard, in a small internet', () => attack());
}

function attack(): void {
  let dns: DnsBench;
  let site: Site;
  let egress: Egress;

  before(async () => {
    // A proxy in the environment must be ignored.
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      process.env[name] = 'http://10.0.0.5:80';
    dns = await startDnsBench(
      { zones: caseZones(), answer: (question) => answerRebind(question) },
      DEFAULT_LIMITS,
    );
    site = await openSite({ listenOn: '::', ports: PORTS, addresses: [...PUBLIC_ADDRESSES] });
    egress = openGuarded();
  });
  after(async () => {
    egress.close();
    await site.close();
    await dns[Symbol.asyncDispose]();
  });

  function openGuarded(options: Partial<EgressOptions> = {}): Egress {
    const self = parseCidr('93.184.215.15/32');
    assert.ok(self);
    return openEgress({
      resolver: dns.resolver,
      policy: { allowCidrs: [], denyCidrs: [self], ports: [80, 443, 8080, 8443], denyEndpoints: () => [] },
      userAgent: 'Mozilla/5.0 (compatible; UtilityAPI/0.1)',
      connectionsPerHost: 6,
      now: Date.now,
      ...options,
    });
  }

  /** Runs a fetch and asserts that packets went to the public host and the resolver only. */
  async function sealed<T>(fetch: () => Promise<T>): Promise<T> {
    const asked = dns.server.questions.length;
    const sent = readKernelCounters();
    const reached = site.connections;
    try {
      return await fetch();
    } finally {
      const now = readKernelCounters();
      assert.deepEqual(site.strays, [], 'a connection reached a host that is not public');
      assert.equal(
        now.tcpConnects - sent.tcpConnects,
        site.connections - reached,
        'the kernel attempted another connection',
      );
      const questions = dns.server.questions.length - asked;
      // A question is one datagram to the resolver, and at most one back.
      assert.ok(
        now.udpSent - sent.udpSent <= questions * 2,
        'a datagram went to another host than the resolver',
      );
    }
  }

  const describePage = (url: string) =>
    getMetadata(
      { url, followRedirects: true, timeoutMs: TIMEOUT_MS, details: false },
      { fetchPage: egress.fetchPage, client: 'a', now: Date.now },
    );
  const verdictOf = async (url: string) => {
    try {
      const { title } = await describePage(url);
      return `described ${title}`;
    } catch (error) {
      assert.ok(error instanceof ApiError, `an error of ours, not ${String(error)}`);
      return error.code === 'unreachable' ? `unreachable ${error.message}` : error.code;
    }
  };

  function expectVerdict(row: EgressCase, verdict: string): void {
    if (row.verdict === 'ALLOWED') assert.equal(verdict, 'described public');
    else if (row.verdict === 'INVALID') assert.equal(verdict, 'invalid_url');
    else if (row.category === 'port' || row.id === 'redirect-16')
      assert.match(verdict, /^unreachable .*does not fetch port \d+/);
    else if (
      (['unicode-host', 'odd-name'].includes(row.category) || /\/\/[^/]+:[^/]*@/.test(row.input)) &&
      verdict === 'invalid_url'
    )
      return;
    else assert.equal(verdict, `unreachable ${DEAD_HOST}`);
  }

  for (const row of cases) {
    const title = `${row.id} ${JSON.stringify(row.input).slice(0, 80)}`;
    it(`metadata: ${title} is ${row.verdict}`, async () => {
      const startedAt = performance.now();
      expectVerdict(row, await sealed(() => verdictOf(row.input)));
      assert.ok(performance.now() - startedAt < TIMEOUT_MS / 2, 'within half of its budget');
    });

    it(`resource: ${title} is ${row.verdict === 'ALLOWED' ? 'loaded' : 'a gap'}`, async () => {
      const fetchResource = egress.openResourceFetcher(
        { maxBytes: 1e6, maxRequests: 30, timeoutMs: TIMEOUT_MS },
        'a',
      );
      dns.server.forget();
      const resource = await sealed(() => fetchResource({ url: row.input, method: 'GET', headers: {} }));
      if (row.verdict === 'ALLOWED') {
        assert.equal(statusOf(resource), 200);
        return;
      }
      // The same words as metadata has: they must not distinguish the ports of an address either.
      const verdict = await verdictOf(row.input);
      if (verdict !== 'invalid_url')
        assert.equal(`unreachable The target URL ${statusOf(resource)}.`, verdict);
      else assert.equal(typeof statusOf(resource), 'string');
    });
  }

  it('sends no question for a name that is refused by its spelling', async () => {
    dns.server.forget();
    for (const host of [
      'localhost',
      'redis',
      'metadata',
      'vault.internal',
      'nas.home.arpa',
      '1.0.0.127.in-addr.arpa',
      'a.onion',
    ]) {
      assert.equal(await verdictOf(`http://${host}/`), `unreachable ${DEAD_HOST}`);
    }
    assert.deepEqual(dns.server.questions, []);
  });

  it(
    'dials the next address in parallel with one that is silent',
    { skip: !hasSwallowingHost() },
    async () => {
      const startedAt = performance.now();
      assert.equal(await verdictOf('http://silent-then-live.test-zone.com/'), 'described public');
      assert.ok(performance.now() - startedAt < scaledMs(2000), 'before the silent one fails');
    },
  );

  it('fails at the deadline of a silent host', { skip: !hasSwallowingHost() }, async () => {
    const reader = { start: () => true, write: () => true };
    const request = {
      client: 'a',
      url: new URL('http://silent.test-zone.com/'),
      followRedirects: true,
      timeoutMs: 300,
    };
    await assert.rejects(egress.fetchPage(request, reader), { code: 'timeout' });
  });

  it('prefers IPv6, and falls back to IPv4 if it is refused', async () => {
    site.requests.length = 0;
    assert.equal(await verdictOf('http://dual.test-zone.com/six'), 'described public');
    assert.equal(site.requests.at(-1)?.address, PUBLIC_ADDRESSES[1]);
    assert.equal(await verdictOf('http://dead-then-live.test-zone.com/four'), 'described public');
    assert.equal(site.requests.at(-1)?.address, PUBLIC_ADDRESSES[0]);
  });

  it('connects to no other host in 1,200 connections to rebinding names', async () => {
    const storm = openGuarded({ keepAliveMs: 0 });
    const fetchResource = storm.openResourceFetcher(
      { maxBytes: 1e9, maxRequests: 5000, timeoutMs: patientMs(20_000) },
      'a',
    );
    const reader = { start: () => true, write: () => true };
    const load = async (url: string, index: number) => {
      if (index % 2 === 0) {
        const status = statusOf(await fetchResource({ url, method: 'GET', headers: {} }));
        return typeof status === 'number' ? status : null;
      }
      const request = { client: 'a', url: new URL(url), followRedirects: true, timeoutMs: TIMEOUT_MS };
      return storm.fetchPage(request, reader).then(
        ({ head }) => head.status,
        () => null,
      );
    };
    // Each name answers 60 times with the public host, and 127.0.0.1 from then on.
    const walk = async (lane: number) => {
      const statuses: (number | null)[] = [];
      for (let index = 0; index < 80; index += 1) {
        statuses.push(await load(`http://rebind60.lane${lane}.test-zone.com/`, index));
      }
      return statuses;
    };
    const reached = site.connections;
    const lanes = await sealed(() => Promise.all(Array.from({ length: 20 }, (_, lane) => walk(lane))));
    for (const statuses of lanes) {
      assert.deepEqual(statuses, [...Array<number>(60).fill(200), ...Array<null>(20).fill(null)]);
    }
    assert.equal(site.connections - reached, 1200);
    storm.close();
  });
}
