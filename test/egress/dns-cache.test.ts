import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasty, startDnsBench } from '../support/dns-resolver.ts';
import { openDeadline } from '#concurrency';
import type { DnsReply } from '../support/dns-server.ts';
import { scaledMs } from '../support/patience.ts';

const MX = [{ exchange: 'mx.example.com', priority: 10 }];
const records = { outcome: 'records', records: MX };

describe('the cache of answers', () => {
  it('answers without a query for the TTL, with the rest of the TTL', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { MX, ttl: 100 } } });
    const { resolver, clock, server } = bench;
    assert.deepEqual(await resolver.query('a.com', 'MX'), { ...records, ttlSeconds: 100, stale: false });
    clock.advance(40);
    assert.deepEqual(await resolver.query('a.com', 'MX'), { ...records, ttlSeconds: 60, stale: false });
    clock.advance(59.9);
    assert.deepEqual(await resolver.query('a.com', 'MX'), { ...records, ttlSeconds: 1, stale: false });
    assert.equal(server.count('a.com'), 1);
    clock.advance(0.1);
    assert.deepEqual(await resolver.query('a.com', 'MX'), { ...records, ttlSeconds: 100, stale: false });
    assert.equal(server.count('a.com'), 2);
  });

  it('does not store a TTL of zero, nor one with the top bit set (RFC 2181 §8)', async () => {
    await using bench = await startDnsBench({
      zones: { 'zero.com': { MX, ttl: 0 }, 'top.com': { MX, ttl: 0x8000_0001 } },
    });
    for (const name of ['zero.com', 'top.com']) {
      await bench.resolver.query(name, 'MX');
      await bench.resolver.query(name, 'MX');
      assert.equal(bench.server.count(name), 2, name);
    }
  });

  it('stores nothing for longer than a day', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { MX, ttl: 10_000_000 } } });
    const answer = await bench.resolver.query('a.com', 'MX');
    assert.equal(answer.outcome !== 'failure' && answer.ttlSeconds, 86_400);
  });

  it('stores NODATA per type, and NXDOMAIN, for their negative TTL', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { soaTtl: 30, A: ['192.0.2.1'] } },
    });
    const { resolver, server, clock } = bench;
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await resolver.query('a.com', 'MX')).outcome, 'nodata');
      assert.equal((await resolver.query('no.com', 'MX')).outcome, 'nxdomain');
    }
    assert.equal((await resolver.query('a.com', 'A')).outcome, 'records');
    assert.deepEqual([server.count('a.com', 'MX'), server.count('no.com', 'MX')], [1, 1]);
    clock.advance(30);
    await resolver.query('a.com', 'MX');
    assert.equal(server.count('a.com', 'MX'), 2);
  });

  it('sends one question for any number of simultaneous callers', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { MX } },
      answer: ({ name }) => (name === 'slow.com' ? { delayMs: 20, answers: [] } : null),
    });
    const { resolver, server } = bench;
    const all = await Promise.all(Array.from({ length: 1000 }, () => resolver.query('a.com', 'MX')));
    assert.ok(all.every((answer) => answer.outcome === 'records'));
    await Promise.all(['slow.com', 'SLOW.com', 'Slow.Com'].map((name) => resolver.query(name, 'MX')));
    assert.deepEqual([server.count('a.com'), server.count('slow.com')], [1, 1]);
  });

  it('sends 500 questions for 10,000 queries over 500 domains', async () => {
    const zones = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`d${i}.com`, { MX }]));
    await using bench = await startDnsBench({ zones });
    const asked = Array.from({ length: 10_000 }, (_, i) => bench.resolver.query(`d${i % 500}.com`, 'MX'));
    const answers = await Promise.all(asked);
    assert.ok(answers.every((answer) => answer.outcome === 'records'));
    assert.equal(bench.server.questions.length, 500);
  });

  it('renews a frequent name in the last tenth of its TTL, in the background', async () => {
    await using bench = await startDnsBench({
      zones: { 'hot.com': { MX, ttl: 100 }, 'cold.com': { MX, ttl: 100 } },
    });
    const { resolver, server, clock } = bench;
    await resolver.query('hot.com', 'MX');
    await resolver.query('cold.com', 'MX');
    await resolver.query('hot.com', 'MX');
    clock.advance(91);
    for (const name of ['hot.com', 'cold.com']) {
      const answer = await resolver.query(name, 'MX');
      assert.equal(answer.outcome !== 'failure' && answer.ttlSeconds, 9);
    }
    await resolver.query('barrier.com', 'MX');
    assert.deepEqual([server.count('hot.com'), server.count('cold.com')], [2, 1]);
    const answer = await resolver.query('hot.com', 'MX');
    assert.equal(answer.outcome !== 'failure' && answer.ttlSeconds, 100);
  });

  it('renews a name once for simultaneous queries', async () => {
    await using bench = await startDnsBench({ zones: { 'hot.com': { MX, ttl: 100 } } });
    const { resolver, server, clock } = bench;
    await resolver.query('hot.com', 'MX');
    clock.advance(91);
    await Promise.all(Array.from({ length: 10 }, () => resolver.query('hot.com', 'MX')));
    await resolver.query('barrier.com', 'MX');
    assert.equal(server.count('hot.com'), 2);
  });

  it('does not repeat a failed renewal at every query', async () => {
    let isBroken = false;
    await using bench = await startDnsBench({
      zones: { 'hot.com': { MX, ttl: 100 } },
      answer: () => (isBroken ? { rcode: 'SERVFAIL' } : null),
    });
    const { resolver, server, clock } = bench;
    await resolver.query('hot.com', 'MX');
    await resolver.query('hot.com', 'MX');
    isBroken = true;
    clock.advance(91);
    for (let i = 0; i < 10; i += 1) {
      assert.deepEqual(await resolver.query('hot.com', 'MX'), { ...records, ttlSeconds: 9, stale: false });
      await resolver.query(`barrier${i}.com`, 'MX');
    }
    assert.equal(server.count('hot.com'), 3);
  });

  it('stays within its bytes, and evicts the least recently used', async () => {
    await using bench = await startDnsBench(
      { answer: ({ name }) => ({ answers: [{ type: 'A', name, ttl: 600, data: '192.0.2.1' }] }) },
      { maxCacheBytes: 100_000 },
    );
    const { resolver, server } = bench;
    for (let i = 0; i < 500; i += 1) {
      await resolver.query(`n${i}.com`, 'A');
      await resolver.query('kept.com', 'A');
    }
    assert.equal(server.count('kept.com'), 1);
    server.forget();
    for (let i = 499; i >= 0; i -= 1) await resolver.query(`n${i}.com`, 'A');
    assert.ok(
      server.questions.length > 250 && server.questions.length < 450,
      String(server.questions.length),
    );
  });

  it('returns an answer that is too large to store', async () => {
    const TXT = Array.from({ length: 100 }, () => 'x'.repeat(250));
    await using bench = await startDnsBench({ zones: { 'big.com': { TXT } } });
    for (let i = 0; i < 2; i += 1)
      assert.equal((await bench.resolver.query('big.com', 'TXT')).outcome, 'records');
    assert.equal(bench.server.count('big.com', 'TXT'), 2);
  });
});

describe('failures (RFC 9520)', () => {
  it('are cached for 1, 5, then 30 s, until an answer resets them', async () => {
    let isBroken = true;
    await using bench = await startDnsBench({
      zones: { 'a.com': { MX, ttl: 1 } },
      answer: () => (isBroken ? { rcode: 'REFUSED' } : null),
    });
    const { resolver, server, clock } = bench;
    const refused = { outcome: 'failure', reason: 'refused' };
    for (const [round, seconds] of [1, 5, 30, 30].entries()) {
      assert.deepEqual(await resolver.query('a.com', 'MX'), refused);
      assert.equal(server.questions.length, round + 1);
      clock.advance(seconds - 0.1);
      assert.deepEqual(await resolver.query('a.com', 'MX'), refused);
      assert.equal(server.questions.length, round + 1);
      clock.advance(0.1);
    }
    isBroken = false;
    assert.equal((await resolver.query('a.com', 'MX')).outcome, 'records');
  });

  it('start with 1 s again after an answer', async () => {
    let isBroken = true;
    await using bench = await startDnsBench(
      { zones: { 'a.com': { MX, ttl: 1 } }, answer: () => (isBroken ? { rcode: 'REFUSED' } : null) },
      { staleSeconds: 0 },
    );
    const { resolver, server, clock } = bench;
    for (const broken of [true, true, false, true]) {
      isBroken = broken;
      await resolver.query('a.com', 'MX');
      clock.advance(6);
    }
    await resolver.query('a.com', 'MX');
    clock.advance(5);
    await resolver.query('a.com', 'MX');
    assert.equal(server.questions.length, 6);
  });

  it('are per name and type', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { A: ['192.0.2.1'] } },
      answer: ({ type }) => (type === 'MX' ? { rcode: 'SERVFAIL' } : null),
    });
    assert.equal((await bench.resolver.query('a.com', 'MX')).outcome, 'failure');
    assert.equal((await bench.resolver.query('a.com', 'A')).outcome, 'records');
  });
});

describe('stale answers (RFC 8767)', () => {
  const troubles: [string, DnsReply][] = [
    ['SERVFAIL', { rcode: 'SERVFAIL' }],
    ['REFUSED', { rcode: 'REFUSED' }],
    ['silence', { drop: true }],
    ['a resolver that denies top-level domains', { rcode: 'NXDOMAIN' }],
  ];
  for (const [says, reply] of troubles) {
    it(`${says}: an expired answer is served for 30 s without a query, then queried again`, async () => {
      let isBroken = false;
      await using bench = await startDnsBench(
        { zones: { 'a.com': { MX, ttl: 60 } }, answer: () => (isBroken ? reply : null) },
        { ...hasty, staleAfterMs: scaledMs(5000) },
      );
      const { resolver, server, clock } = bench;
      await resolver.query('a.com', 'MX');
      isBroken = true;
      clock.advance(61);
      const stale = { ...records, ttlSeconds: 30, stale: true };
      assert.deepEqual(await resolver.query('a.com', 'MX'), stale);
      const asked = server.count('a.com');
      clock.advance(29);
      assert.deepEqual(await resolver.query('a.com', 'MX'), stale);
      assert.equal(server.count('a.com'), asked);
      clock.advance(2);
      isBroken = false;
      assert.deepEqual(await resolver.query('a.com', 'MX'), { ...records, ttlSeconds: 60, stale: false });
    });
  }

  it('a slow server: the expired answer after a while, then the fresh one', async () => {
    let reply: DnsReply | null = null;
    await using bench = await startDnsBench(
      { zones: { 'a.com': { MX, ttl: 60 } }, answer: ({ name }) => (name === 'a.com' ? reply : null) },
      { staleAfterMs: 20 },
    );
    const { resolver, clock, server } = bench;
    await resolver.query('a.com', 'MX');
    clock.advance(61);
    const fresh = { exchange: 'new.example.com', preference: 5 };
    reply = { delayMs: 60, answers: [{ type: 'MX', name: 'a.com', ttl: 60, data: fresh }] };
    const first = await resolver.query('a.com', 'MX');
    assert.deepEqual(first, { ...records, ttlSeconds: 30, stale: true });
    for (;;) {
      const answer = await resolver.query('a.com', 'MX');
      if (answer.outcome === 'records' && !answer.stale) {
        assert.deepEqual(answer.records, [{ exchange: 'new.example.com', priority: 5 }]);
        break;
      }
      await resolver.query(`barrier${performance.now()}.com`, 'A');
    }
    assert.equal(server.count('a.com'), 2);
  });

  it('a caller whose deadline passes gets the expired answer, and another reason is an error', async () => {
    let isSilent = false;
    await using bench = await startDnsBench(
      { zones: { 'a.com': { MX, ttl: 60 } }, answer: () => (isSilent ? { drop: true } : null) },
      { staleAfterMs: 60_000 },
    );
    const { resolver, clock } = bench;
    await resolver.query('a.com', 'MX');
    clock.advance(61);
    isSilent = true;
    const stale = { ...records, ttlSeconds: 30, stale: true };
    assert.deepEqual(await resolver.query('a.com', 'MX', openDeadline(1).signal), stale);
    await assert.rejects(resolver.query('new.com', 'MX', openDeadline(1).signal), {
      name: 'DeadlineExceeded',
    });
    const left = new AbortController();
    const query = resolver.query('a.com', 'MX', left.signal);
    left.abort(new Error('left'));
    await assert.rejects(query, { message: 'left' });
  });

  it('are served for a day with records, and for an hour without', async () => {
    let isBroken = false;
    await using bench = await startDnsBench({
      zones: { 'a.com': { MX, ttl: 60, soaTtl: 60 } },
      answer: () => (isBroken ? { rcode: 'SERVFAIL' } : null),
    });
    const { resolver, clock } = bench;
    const ask = async (): Promise<string[]> =>
      Promise.all((['MX', 'A'] as const).map(async (type) => (await resolver.query('a.com', type)).outcome));
    assert.deepEqual(await ask(), ['records', 'nodata']);
    isBroken = true;
    clock.advance(60 + 3590);
    assert.deepEqual(await ask(), ['records', 'nodata']);
    clock.advance(3600);
    assert.deepEqual(await ask(), ['records', 'failure']);
    clock.advance(86_400);
    assert.deepEqual(await ask(), ['failure', 'failure']);
  });

  it('are replaced by a fresh denial', async () => {
    const zones: Record<string, { MX?: typeof MX; ttl?: number }> = { 'a.com': { MX, ttl: 60 } };
    await using bench = await startDnsBench({ zones });
    await bench.resolver.query('a.com', 'MX');
    delete zones['a.com'];
    bench.clock.advance(61);
    assert.equal((await bench.resolver.query('a.com', 'MX')).outcome, 'nxdomain');
  });
});
