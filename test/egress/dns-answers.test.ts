import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startDnsBench } from '../support/dns-resolver.ts';

const MX = [{ exchange: 'mx.example.com', priority: 10 }];

describe('the answers of the resolver', () => {
  it('have records of every type, with names in lower case and without the trailing dot', async () => {
    await using bench = await startDnsBench({
      zones: {
        'example.com': {
          A: ['192.0.2.1', '192.0.2.2'],
          AAAA: ['2001:db8::1'],
          MX: [
            { exchange: 'MX2.Example.com', priority: 20 },
            { exchange: '', priority: 0 },
          ],
          TXT: ['v=spf1 -all'],
          NS: ['NS.example.com'],
          ttl: 77,
        },
      },
    });
    const ask: typeof bench.resolver.query = (...args) => bench.resolver.query(...args);
    const common = { outcome: 'records', ttlSeconds: 77, stale: false };
    assert.deepEqual(await ask('example.com', 'A'), { ...common, records: ['192.0.2.1', '192.0.2.2'] });
    assert.deepEqual(await ask('example.com', 'AAAA'), { ...common, records: ['2001:db8::1'] });
    assert.deepEqual(await ask('example.com', 'TXT'), { ...common, records: ['v=spf1 -all'] });
    assert.deepEqual(await ask('example.com', 'NS'), { ...common, records: ['ns.example.com'] });
    assert.deepEqual(await ask('example.com', 'MX'), {
      ...common,
      records: [
        { exchange: 'mx2.example.com', priority: 20 },
        { exchange: '', priority: 0 },
      ],
    });
  });

  it('join the strings of a long TXT record', async () => {
    const data = ['a'.repeat(200), 'b'.repeat(100)];
    await using bench = await startDnsBench({
      answer: ({ name }) => ({ answers: [{ type: 'TXT', name, ttl: 60, data }] }),
    });
    const answer = await bench.resolver.query('example.com', 'TXT');
    assert.deepEqual(answer.outcome === 'records' && answer.records, [data.join('')]);
  });

  it('do not depend on the case of the name, nor on that of the reply', async () => {
    await using bench = await startDnsBench({
      answer: () => ({
        answers: [{ type: 'A', name: 'EXAMPLE.com', ttl: 60, data: '192.0.2.1' }],
        wrongQuestion: 'eXAMPLE.cOM',
      }),
    });
    assert.equal((await bench.resolver.query('Example.COM', 'A')).outcome, 'records');
    assert.equal((await bench.resolver.query('example.com', 'A')).outcome, 'records');
    assert.equal(bench.server.questions.length, 1);
  });

  it('use only records of the name or its aliases', async () => {
    await using bench = await startDnsBench({
      answer: ({ name }) => ({
        answers: [
          { type: 'A', name: 'other.com', ttl: 60, data: '192.0.2.9' },
          { type: 'A', name, class: 'CH', ttl: 60, data: '192.0.2.8' },
        ],
      }),
    });
    assert.equal((await bench.resolver.query('example.com', 'A')).outcome, 'nodata');
  });

  it('come from questions with recursion desired and EDNS', async () => {
    await using bench = await startDnsBench({ zones: { 'example.com': { MX } } });
    await bench.resolver.query('example.com', 'MX');
    const [question] = bench.server.questions;
    assert.deepEqual([question?.edns, question?.recursionDesired], [true, true]);
  });

  for (const name of [
    '',
    '.',
    'a..com',
    'a.com.',
    `${'a'.repeat(64)}.com`,
    `${'abcd.'.repeat(51)}com`,
    'a b.com',
    'ä.com',
    'a\0.com',
  ]) {
    it(`need a valid domain name, or no question is sent: ${JSON.stringify(name.slice(0, 20))}`, async () => {
      await using bench = await startDnsBench({});
      assert.deepEqual(await bench.resolver.query(name, 'A'), { outcome: 'failure', reason: 'malformed' });
      assert.equal(bench.server.questions.length, 0);
    });
  }

  it('can be for the longest possible name', async () => {
    const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    assert.equal(name.length, 253);
    await using bench = await startDnsBench({ zones: { [name]: { A: ['192.0.2.1'] } } });
    assert.equal((await bench.resolver.query(name, 'A')).outcome, 'records');
  });
});

describe('CNAMEs', () => {
  it('are followed within a reply; the lowest TTL of the chain and the records applies', async () => {
    await using bench = await startDnsBench({
      zones: {
        'a.com': { CNAME: 'b.com', ttl: 500 },
        'b.com': { CNAME: 'c.com', ttl: 40 },
        'c.com': { MX, ttl: 300 },
      },
    });
    const answer = await bench.resolver.query('a.com', 'MX');
    assert.deepEqual(answer, { outcome: 'records', records: MX, ttlSeconds: 40, stale: false });
    assert.equal(bench.server.questions.length, 1);
  });

  it('are followed with further questions if the reply has only the CNAME', async () => {
    await using bench = await startDnsBench({
      zones: { 'c.com': { A: ['192.0.2.1'], ttl: 300 } },
      answer: ({ name }) => {
        if (name === 'a.com') return { answers: [{ type: 'CNAME', name, ttl: 50, data: 'B.com' }] };
        if (name === 'b.com') return { answers: [{ type: 'CNAME', name, ttl: 70, data: 'c.com' }] };
        return null;
      },
    });
    const answer = await bench.resolver.query('a.com', 'A');
    assert.deepEqual(answer, { outcome: 'records', records: ['192.0.2.1'], ttlSeconds: 50, stale: false });
    assert.deepEqual(
      bench.server.questions.map(({ name }) => name),
      ['a.com', 'b.com', 'c.com'],
    );
  });

  it('to a name without such records: nodata', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { CNAME: 'b.com' }, 'b.com': { A: ['192.0.2.1'], soaTtl: 20 } },
    });
    assert.deepEqual(await bench.resolver.query('a.com', 'MX'), {
      outcome: 'nodata',
      ttlSeconds: 20,
      stale: false,
    });
    assert.equal(bench.server.questions.length, 1);
  });

  it('to a name that does not exist: nxdomain', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { CNAME: 'gone.com', ttl: 10 } } });
    assert.deepEqual(await bench.resolver.query('a.com', 'MX'), {
      outcome: 'nxdomain',
      ttlSeconds: 10,
      stale: false,
    });
  });

  it('into a top-level domain that does not exist: nxdomain, because the server knew the name itself', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': { CNAME: 'nowhere.nosuchtld' } },
      answer: ({ name }) => (name === 'nosuchtld' ? { rcode: 'NXDOMAIN' } : null),
    });
    assert.equal((await bench.resolver.query('a.com', 'MX')).outcome, 'nxdomain');
  });

  for (const length of [1, 2, 3]) {
    it(`in a circle of ${length}: a failure, in one reply or in many`, async () => {
      const next = (name: string): string => `n${(Number(name.slice(1, 2)) + 1) % length}.com`;
      await using bench = await startDnsBench({
        answer: ({ name }) =>
          name.endsWith('.com') ? { answers: [{ type: 'CNAME', name, ttl: 60, data: next(name) }] } : null,
      });
      assert.deepEqual(await bench.resolver.query('n0.com', 'A'), { outcome: 'failure', reason: 'servfail' });
      assert.equal(bench.server.questions.length, length);
      const zones = Object.fromEntries([0, 1, 2].map((i) => [`n${i}.com`, { CNAME: next(`n${i}`) }]));
      await using whole = await startDnsBench({ zones });
      assert.deepEqual(await whole.resolver.query('n0.com', 'A'), { outcome: 'failure', reason: 'servfail' });
      assert.equal(whole.server.questions.length, 1);
    });
  }

  it('without an end are a failure', async () => {
    await using bench = await startDnsBench({
      answer: ({ name }) => ({ answers: [{ type: 'CNAME', name, ttl: 60, data: `x${name}` }] }),
    });
    assert.deepEqual(await bench.resolver.query('a.com', 'A'), { outcome: 'failure', reason: 'servfail' });
    assert.ok(bench.server.questions.length <= 17);
  });

  it('are followed in any order, among signatures', async () => {
    await using bench = await startDnsBench({
      answer: () => ({
        answers: [
          { type: 'A', name: 'c.com', ttl: 60, data: '192.0.2.1' },
          { type: 'CNAME', name: 'b.com', ttl: 60, data: 'c.com' },
          { type: 'DNAME', name: 'com', ttl: 60, data: 'net' },
          { type: 'CNAME', name: 'a.com', ttl: 60, data: 'b.com' },
        ],
      }),
    });
    assert.equal((await bench.resolver.query('a.com', 'A')).outcome, 'records');
  });
});

describe('negative answers (RFC 2308)', () => {
  const cases = [
    { says: 'the SOA TTL if it is less than the minimum', soaTtl: 20, soaMinimum: 600, ttl: 20 },
    { says: 'the SOA minimum if it is less than the TTL', soaTtl: 600, soaMinimum: 25, ttl: 25 },
    { says: 'an hour at most', soaTtl: 86_400, soaMinimum: 86_400, ttl: 3600 },
  ];
  for (const { says, soaTtl, soaMinimum, ttl } of cases) {
    it(`are cached for ${says}`, async () => {
      await using bench = await startDnsBench({
        zones: { 'a.com': { A: ['192.0.2.1'], soaTtl, soaMinimum } },
      });
      assert.deepEqual(await bench.resolver.query('a.com', 'MX'), {
        outcome: 'nodata',
        ttlSeconds: ttl,
        stale: false,
      });
    });
  }

  it('without a SOA are cached for a minute', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': { withoutSoa: true } } });
    assert.deepEqual(await bench.resolver.query('a.com', 'MX'), {
      outcome: 'nodata',
      ttlSeconds: 60,
      stale: false,
    });
  });

  it('ignore a SOA of another zone', async () => {
    await using bench = await startDnsBench({
      answer: () => ({
        authorities: [
          { type: 'SOA', name: 'other.org', ttl: 5, data: { mname: 'a', rname: 'b', minimum: 5 } },
        ],
      }),
    });
    assert.deepEqual(await bench.resolver.query('a.com', 'MX'), {
      outcome: 'nodata',
      ttlSeconds: 60,
      stale: false,
    });
  });
});
