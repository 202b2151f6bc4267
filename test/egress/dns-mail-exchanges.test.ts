import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUsableExchange } from '../../src/email/domain/mail-verdict.ts';
import { createLookupMail } from '../../src/egress/lookup-mail.ts';
import { hasty, startDnsBench, type DnsBench } from '../support/dns-resolver.ts';
import type { DnsReply } from '../support/dns-server.ts';
import type { DnsZone, DnsZones } from '../support/dns-zones.ts';
import { settlesInTurn } from '../support/settles-in-turn.ts';

const isPublicAddress = (address: string): boolean => !address.startsWith('10.') && !address.startsWith('fd');
const PUBLIC: DnsZone = { A: ['192.0.2.1'] };
const PRIVATE: DnsZone = { A: ['10.0.0.1'], AAAA: ['fd00::1'] };

/** A domain with these exchanges, in the order of their priority. */
const mail = (...exchanges: string[]): DnsZone => ({
  MX: exchanges.map((exchange, priority) => ({ exchange, priority })),
});

function openLookup({ resolver }: DnsBench, searchTimeoutMs = 60_000): ReturnType<typeof createLookupMail> {
  return createLookupMail({ resolver, isPublicAddress, isUsableExchange, searchTimeoutMs });
}

async function isUnreachable(bench: DnsBench, domain = 'a.com'): Promise<boolean> {
  const facts = await openLookup(bench)(domain);
  assert.equal(facts.outcome, 'mx');
  return 'unreachable' in facts;
}

interface Case {
  says: string;
  zones: DnsZones;
  unreachable: boolean;
  /** The questions about exchanges. */
  asked: string[];
}

const one = mail('m1.com');
const two = mail('m1.com', 'm2.com');
const servfail: DnsReply = { rcode: 'SERVFAIL' };
const denied: DnsReply = { rcode: 'NXDOMAIN' };

const cases: Case[] = [
  {
    says: 'a public A: one question',
    zones: { 'a.com': two, 'm1.com': PUBLIC },
    unreachable: false,
    asked: ['m1.com A'],
  },
  {
    says: 'a public AAAA',
    zones: { 'a.com': one, 'm1.com': { AAAA: ['2001:db8::1'] } },
    unreachable: false,
    asked: ['m1.com A', 'm1.com AAAA'],
  },
  {
    says: 'a private A, but a public AAAA',
    zones: { 'a.com': one, 'm1.com': { A: ['10.0.0.1'], AAAA: ['2001:db8::1'] } },
    unreachable: false,
    asked: ['m1.com A', 'm1.com AAAA'],
  },
  {
    says: 'a host that does not exist, then a public one',
    zones: { 'a.com': two, 'm2.com': PUBLIC },
    unreachable: false,
    asked: ['m1.com A', 'm2.com A'],
  },
  {
    says: 'a CNAME to a public host',
    zones: { 'a.com': one, 'm1.com': { CNAME: 'm2.com' }, 'm2.com': PUBLIC },
    unreachable: false,
    asked: ['m1.com A'],
  },
  { says: 'no host exists', zones: { 'a.com': two }, unreachable: true, asked: ['m1.com A', 'm2.com A'] },
  {
    says: 'private addresses only',
    zones: { 'a.com': one, 'm1.com': PRIVATE },
    unreachable: true,
    asked: ['m1.com A', 'm1.com AAAA'],
  },
  {
    says: 'a host without addresses',
    zones: { 'a.com': one, 'm1.com': { TXT: ['hello'] } },
    unreachable: true,
    asked: ['m1.com A', 'm1.com AAAA'],
  },
  {
    says: 'a name that needs no question, and one that leads nowhere',
    zones: { 'a.com': mail('', 'localhost', 'mx.corp', '10.1.2.3', 'm1.com') },
    unreachable: true,
    asked: ['m1.com A'],
  },
  {
    says: 'only names that need no question',
    zones: { 'a.com': mail('localhost', 'mx.a.test') },
    unreachable: false,
    asked: [],
  },
];

describe('the exchanges of a domain', () => {
  for (const { says, zones, unreachable, asked } of cases)
    it(`${unreachable ? 'unreachable' : 'not unreachable'}: ${says}`, async () => {
      await using bench = await startDnsBench({ zones });
      assert.equal(await isUnreachable(bench), unreachable);
      const questions = bench.server.questions.filter(({ type }) => type.startsWith('A'));
      assert.deepEqual(
        questions.map(({ name, type }) => `${name} ${type}`),
        asked,
      );
    });

  for (const [says, answer] of [
    ['A fails', ({ type }) => (type === 'A' ? servfail : null)],
    ['AAAA fails', ({ type }) => (type === 'AAAA' ? servfail : null)],
    ['REFUSED', ({ type }) => (type === 'A' ? { rcode: 'REFUSED' } : null)],
    ['silence', ({ type }) => (type === 'A' ? { drop: true } : null)],
    ['a resolver that denies com', ({ type, name }) => (type === 'NS' && name === 'com' ? denied : null)],
  ] as [string, (question: { type: string; name: string }) => DnsReply | null][])
    it(`DNS trouble proves nothing: ${says}`, async () => {
      const zones = { 'a.com': two, ...(says.includes('denies') ? {} : { 'm1.com': {}, 'm2.com': {} }) };
      await using bench = await startDnsBench({ zones, answer }, says === 'silence' ? hasty : {});
      assert.equal(await isUnreachable(bench), false);
      assert.equal(bench.server.count('m2.com'), 0, 'the search ends at the first failure');
    });

  it('no more than eight are looked up, and a ninth might be reachable', async () => {
    const hosts = Array.from({ length: 9 }, (_, at) => `m${at}.com`);
    const zones = { 'nine.com': mail(...hosts), 'eight.com': mail(...hosts.slice(0, 8)) };
    await using bench = await startDnsBench({ zones });
    assert.equal(await isUnreachable(bench, 'nine.com'), false);
    assert.equal(await isUnreachable(bench, 'eight.com'), true);
    assert.equal(bench.server.questions.filter(({ type }) => type === 'A').length, 8);
  });

  it('a host that is named nine times is one', async () => {
    const hosts = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? 'm1.com' : 'M1.com'));
    await using bench = await startDnsBench({ zones: { 'a.com': mail(...hosts) } });
    assert.equal(await isUnreachable(bench), true);
    assert.equal(bench.server.questions.filter(({ type }) => type === 'A').length, 1);
  });

  it('the best 256 are reported of any number', async () => {
    const hosts = Array.from({ length: 1000 }, (_, at) => ({ exchange: `m${at}.com`, priority: 1000 - at }));
    await using bench = await startDnsBench({
      zones: { 'a.com': { MX: hosts }, 'm999.com': PUBLIC },
      answer: ({ transport }) => (transport === 'udp' ? { truncate: true } : null),
    });
    const facts = await openLookup(bench)('a.com');
    assert.ok(facts.outcome === 'mx');
    assert.equal(facts.exchanges.length, 256);
    assert.deepEqual(facts.exchanges[0], { exchange: 'm999.com', priority: 1 });
  });

  it('a slow host ends the search at the deadline of the lookup, which proves nothing', async () => {
    await using bench = await startDnsBench({
      zones: { 'a.com': one },
      answer: ({ type }) => (type === 'A' ? { delayMs: 30_000, rcode: 'NXDOMAIN' } : null),
    });
    const facts = await openLookup(bench, 50)('a.com');
    assert.deepEqual(facts, { outcome: 'mx', exchanges: [{ exchange: 'm1.com', priority: 0 }] });
  });

  it('that lead nowhere are known at once if all answers are cached, also by another domain', async () => {
    await using bench = await startDnsBench({ zones: { 'a.com': one, 'b.com': one, 'm1.com': PRIVATE } });
    const lookupMail = openLookup(bench);
    const facts = await lookupMail('a.com');
    assert.deepEqual([facts.outcome, 'unreachable' in facts], ['mx', true]);
    const again = lookupMail('a.com');
    assert.ok(await settlesInTurn(again));
    assert.equal(await again, facts);
    await lookupMail('b.com');
    assert.deepEqual([bench.server.count('m1.com', 'A'), bench.server.count('m1.com', 'AAAA')], [1, 1]);
    bench.clock.advance(1);
    assert.deepEqual(await lookupMail('a.com'), facts, 'and when the TTL of the answer has changed');
  });

  it('are looked up again when their addresses expire before the MX records, within one hold', async () => {
    const zones: DnsZones = { 'a.com': { ...one, ttl: 1000 }, 'm1.com': { ...PUBLIC, ttl: 10 } };
    await using bench = await startDnsBench({ zones });
    const lookupMail = openLookup(bench);
    let holds = 0;
    const look = () =>
      lookupMail('a.com', undefined, undefined, (signal, lookUp) => {
        holds += 1;
        return lookUp(signal);
      });
    assert.equal('unreachable' in (await look()), false);
    zones['m1.com'] = PRIVATE;
    assert.equal('unreachable' in (await look()), false);
    assert.equal(holds, 1);
    bench.clock.advance(11);
    assert.equal('unreachable' in (await look()), true);
    assert.deepEqual([holds, bench.server.count('a.com', 'MX')], [2, 1]);
  });

  it('an aborted signal rejects with its reason during the search', async () => {
    const gone = new AbortController();
    const reason = new Error('left');
    await using bench = await startDnsBench({
      zones: { 'a.com': one },
      answer: ({ type }) => {
        if (type === 'A') gone.abort(reason);
        return null;
      },
    });
    await assert.rejects(
      async () => openLookup(bench)('a.com', gone.signal),
      (error) => error === reason,
    );
  });
});
