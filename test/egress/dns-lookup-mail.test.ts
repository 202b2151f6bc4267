import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLookupMail, lookupAddresses } from '../../src/egress/lookup-mail.ts';
import { isUsableExchange } from '../../src/email/domain/mail-verdict.ts';
import type { LookupMail } from '../../src/email/lookup-mail.ts';
import { hasty, startDnsBench } from '../support/dns-resolver.ts';
import type { DnsReply } from '../support/dns-server.ts';
import type { DnsZone, DnsZones } from '../support/dns-zones.ts';
import { settlesInTurn } from '../support/settles-in-turn.ts';

const isPublicAddress = (address: string): boolean => !address.startsWith('10.') && !address.startsWith('fd');
const lookupOptions = { isPublicAddress, isUsableExchange, searchTimeoutMs: 60_000 };
const mx = (exchange: string, priority = 10): { exchange: string; priority: number } => ({
  exchange,
  priority,
});

/** The records of a name, or the reply of its server, per type. */
interface Case {
  says: string;
  zones?: DnsZones;
  byType?: Partial<Record<string, DnsReply>>;
  facts: unknown;
  asked: string[];
  isSilent?: boolean;
}

const servfail: DnsReply = { rcode: 'SERVFAIL' };
const unknown = (reason: string): unknown => ({ outcome: 'unknown', reason });
const none = (reason: string): unknown => ({ outcome: 'none', reason });
const found = (...exchanges: unknown[]): unknown => ({ outcome: 'mx', exchanges });
/** The domain, and three mail hosts. */
const zone = (held: DnsZone): DnsZones => ({ 'a.com': held, ...HOSTS });
const HOSTS: DnsZones = Object.fromEntries(
  ['one.com', 'two.com', 'm.com'].map((host) => [host, { A: ['192.0.2.1'] }]),
);

const cases: Case[] = [
  {
    says: 'MX records, sorted by priority',
    zones: zone({ MX: [mx('two.com', 20), mx('one.com', 5)] }),
    facts: found(mx('one.com', 5), mx('two.com', 20)),
    asked: ['MX', 'A'],
  },
  { says: 'a null MX', zones: zone({ MX: [mx('', 0)] }), facts: found(mx('', 0)), asked: ['MX'] },
  {
    says: 'MX to localhost',
    zones: zone({ MX: [mx('localhost')] }),
    facts: found(mx('localhost')),
    asked: ['MX'],
  },
  {
    says: 'MX to an address literal',
    zones: zone({ MX: [mx('192.0.2.1')] }),
    facts: found(mx('192.0.2.1')),
    asked: ['MX'],
  },
  { says: 'NXDOMAIN: done', zones: {}, facts: none('nxdomain'), asked: ['MX', 'NS'] },
  {
    says: 'no MX but a public A',
    zones: zone({ A: ['192.0.2.1'] }),
    facts: { outcome: 'address' },
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'no MX but a public AAAA',
    zones: zone({ AAAA: ['2001:db8::1'] }),
    facts: { outcome: 'address' },
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'no MX, one private and one public address',
    zones: zone({ A: ['10.0.0.1'], AAAA: ['2001:db8::1'] }),
    facts: { outcome: 'address' },
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'no MX, private addresses only',
    zones: zone({ A: ['10.0.0.1'], AAAA: ['fd00::1'] }),
    facts: none('no_public_address'),
    asked: ['MX', 'A', 'AAAA'],
  },
  { says: 'nothing at all', zones: zone({}), facts: none('nodata'), asked: ['MX', 'A', 'AAAA'] },
  {
    says: 'nothing at all, without a SOA',
    zones: zone({ withoutSoa: true }),
    facts: none('nodata'),
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'a parent of names, itself empty',
    zones: { 'x.a.com': {} },
    facts: none('nodata'),
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'a CNAME to a domain with MX',
    zones: { ...zone({ CNAME: 'b.com' }), 'b.com': { MX: [mx('m.com')] } },
    facts: found(mx('m.com')),
    asked: ['MX', 'A'],
  },
  {
    says: 'a CNAME to a host with an address',
    zones: { 'a.com': { CNAME: 'b.com' }, 'b.com': { A: ['192.0.2.1'] } },
    facts: { outcome: 'address' },
    asked: ['MX', 'A', 'AAAA'],
  },
  {
    says: 'a CNAME to nowhere',
    zones: zone({ CNAME: 'gone.com' }),
    facts: none('nxdomain'),
    asked: ['MX', 'NS'],
  },
  {
    says: 'a CNAME loop',
    zones: { 'a.com': { CNAME: 'b.com' }, 'b.com': { CNAME: 'a.com' } },
    facts: unknown('servfail'),
    asked: ['MX'],
  },
  { says: 'SERVFAIL', zones: { 'a.com': 'SERVFAIL' }, facts: unknown('servfail'), asked: ['MX', 'MX'] },
  { says: 'REFUSED', zones: { 'a.com': 'REFUSED' }, facts: unknown('refused'), asked: ['MX'] },
  {
    says: 'silence',
    zones: { 'a.com': { drop: true } },
    facts: unknown('timeout'),
    asked: ['MX', 'MX'],
    isSilent: true,
  },
  {
    says: 'garbage',
    zones: { 'a.com': { malformed: Buffer.from('0000818000010001', 'hex') } },
    facts: unknown('timeout'),
    asked: ['MX', 'MX'],
    isSilent: true,
  },
  {
    says: 'truncated: TCP has the answer',
    zones: HOSTS,
    byType: {
      MX: {
        truncate: true,
        answers: [{ type: 'MX', name: 'a.com', ttl: 60, data: { exchange: 'm.com', preference: 1 } }],
      },
    },
    facts: found(mx('m.com', 1)),
    asked: ['MX', 'MX', 'A'],
  },
  {
    says: 'a lame server',
    byType: {
      MX: { flags: 0, authorities: [{ type: 'NS', name: '.', ttl: 1, data: 'a.root-servers.net' }] },
    },
    facts: unknown('servfail'),
    asked: ['MX', 'MX'],
  },
  {
    says: 'a resolver that denies com',
    zones: { 'a.com': 'NXDOMAIN', com: 'NXDOMAIN' },
    facts: unknown('lying_resolver'),
    asked: ['MX', 'NS'],
  },
  {
    says: 'MX fails although an address exists',
    zones: zone({ A: ['192.0.2.1'] }),
    byType: { MX: servfail },
    facts: unknown('servfail'),
    asked: ['MX', 'MX'],
  },
  {
    says: 'no MX; A fails, AAAA is public',
    zones: zone({ AAAA: ['2001:db8::1'] }),
    byType: { A: servfail },
    facts: { outcome: 'address' },
    asked: ['MX', 'A', 'AAAA', 'A'],
  },
  {
    says: 'no MX; A fails, AAAA does not exist',
    zones: zone({}),
    byType: { A: servfail },
    facts: unknown('servfail'),
    asked: ['MX', 'A', 'AAAA', 'A'],
  },
  {
    says: 'no MX; A is private, AAAA fails',
    zones: zone({ A: ['10.0.0.1'] }),
    byType: { AAAA: servfail },
    facts: unknown('servfail'),
    asked: ['MX', 'A', 'AAAA', 'AAAA'],
  },
  {
    says: 'no MX; both fail',
    zones: zone({}),
    byType: { A: servfail, AAAA: { rcode: 'REFUSED' } },
    facts: unknown('servfail'),
    asked: ['MX', 'A', 'AAAA', 'A'],
  },
];

describe('the mail facts of a domain', () => {
  for (const { says, zones = {}, byType = {}, facts, asked, isSilent = false } of cases) {
    it(says, async () => {
      const limits = isSilent ? hasty : {};
      await using bench = await startDnsBench({ zones, answer: ({ type }) => byType[type] ?? null }, limits);
      const lookupMail: LookupMail = createLookupMail({ resolver: bench.resolver, ...lookupOptions });
      assert.deepEqual(await lookupMail('a.com'), facts);
      assert.deepEqual(bench.server.questions.map(({ type }) => type).sort(), [...asked].sort());
    });
  }

  it('10,000 addresses over 500 domains cost one lookup per domain', async () => {
    const domains = Array.from({ length: 500 }, (_, i) => [`d${i}.com`, { MX: [mx('m.com')] }]);
    const zones = { ...Object.fromEntries(domains), ...HOSTS };
    await using bench = await startDnsBench({ zones });
    const lookupMail = createLookupMail({ resolver: bench.resolver, ...lookupOptions });
    const all = await Promise.all(
      Array.from({ length: 10_000 }, async (_, i) => lookupMail(`d${i % 500}.com`)),
    );
    assert.ok(all.every(({ outcome }) => outcome === 'mx'));
    assert.equal(bench.server.count('m.com', 'A'), 1);
    assert.equal(bench.server.questions.length, 501);
  });

  it('are returned at once if they are cached', async () => {
    await using bench = await startDnsBench({ zones: zone({ MX: [mx('m.com')] }) });
    const lookupMail = createLookupMail({ resolver: bench.resolver, ...lookupOptions });
    const facts = await lookupMail('a.com');
    const again = lookupMail('a.com');
    assert.ok(await settlesInTurn(again));
    assert.deepEqual(await again, facts);
  });

  it('an aborted signal rejects with its reason, before and between the questions', async () => {
    const gone = new AbortController();
    const reason = new Error('left');
    await using bench = await startDnsBench({
      zones: zone({}),
      answer: ({ type }) => {
        if (type === 'A') gone.abort(reason);
        return null;
      },
    });
    const lookupMail = createLookupMail({ resolver: bench.resolver, ...lookupOptions });
    await assert.rejects(
      async () => lookupMail('a.com', gone.signal),
      (error) => error === reason,
    );
    await assert.rejects(
      async () => lookupMail('b.com', gone.signal),
      (error) => error === reason,
    );
    assert.equal(bench.server.count('b.com'), 0);
  });

  it('no caller can change the list of the next one', async () => {
    await using bench = await startDnsBench({ zones: zone({ MX: [mx('m.com')] }) });
    const lookupMail = createLookupMail({ resolver: bench.resolver, ...lookupOptions });
    const first = await lookupMail('a.com');
    assert.ok(
      first.outcome === 'mx' && Object.isFrozen(first.exchanges) && Object.isFrozen(first.exchanges[0]),
    );
    assert.deepEqual(await lookupMail('a.com'), found(mx('m.com')));
  });
});

describe('addresses of a name', () => {
  it('are of both families, public or not', async () => {
    await using bench = await startDnsBench({
      zones: zone({ A: ['192.0.2.1', '10.0.0.1'], AAAA: ['fd00::1'] }),
    });
    assert.deepEqual(await lookupAddresses(bench.resolver, 'a.com'), {
      outcome: 'addresses',
      addresses: [
        { address: '192.0.2.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
        { address: 'fd00::1', family: 6 },
      ],
      missing: null,
    });
  });

  it('are those of one family if the other fails, with the failure', async () => {
    await using bench = await startDnsBench({
      zones: zone({ A: ['192.0.2.1'] }),
      answer: ({ type }) => (type === 'AAAA' ? servfail : null),
    });
    assert.deepEqual(await lookupAddresses(bench.resolver, 'a.com'), {
      outcome: 'addresses',
      addresses: [{ address: '192.0.2.1', family: 4 }],
      missing: 'servfail',
    });
  });

  for (const [says, type, reply, facts] of [
    ['none', 'A', null, { outcome: 'none', isDenied: false }],
    ['one fails beside nothing: a failure', 'A', servfail, { outcome: 'failure', reason: 'servfail' }],
    [
      'NXDOMAIN beside a failure: a failure',
      'A',
      { rcode: 'NXDOMAIN' },
      { outcome: 'failure', reason: 'servfail' },
    ],
  ] as const) {
    it(says, async () => {
      await using bench = await startDnsBench({
        zones: zone({}),
        answer: (question) => {
          if (question.type === type) return reply;
          return reply?.rcode === 'NXDOMAIN' && question.type === 'AAAA' ? servfail : null;
        },
      });
      assert.deepEqual(await lookupAddresses(bench.resolver, 'a.com'), facts);
    });
  }
});
