import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TxtFacts } from '../lookup-mail.ts';
import { findPolicies } from './add-policies.ts';
import { parseDmarc, parseSpf } from './parse-policies.ts';

const records = (...texts: string[]): TxtFacts => ({ outcome: 'records', texts });
const NONE: TxtFacts = { outcome: 'none' };
const UNKNOWN: TxtFacts = { outcome: 'unknown', reason: 'timeout' };

describe('the SPF record (RFC 7208)', () => {
  for (const [text, policy] of [
    ['v=spf1 -all', 'fail'],
    ['v=spf1 include:_spf.acme.com ~all', 'softfail'],
    ['v=spf1 mx ?all', 'neutral'],
    ['v=spf1 +all', 'pass'],
    ['v=spf1 all', 'pass'],
    ['V=SPF1 mx -ALL', 'fail'],
    ['v=spf1 redirect=_spf.acme.com', 'redirect'],
    ['v=spf1 redirect=_spf.acme.com -all', 'fail'],
    ['v=spf1 -all +all', 'fail'],
    ['v=spf1 mx', 'neutral'],
    ['v=spf1', 'neutral'],
    ['v=spf1 include:all.acme.com exists:-all.acme.com', 'neutral'],
    [
      'v=spf1  a:a.acme.com/24//64 a/24 mx//64 ptr ?ip4:192.0.2.0/24 ip6:2001:db8::/32 new=%{d} -all ',
      'fail',
    ],
    ['v=spf1 exp=%{i}.acme.com exists:%{i}._spf.%{d} ~ALL', 'softfail'],
  ] as const)
    it(`${text}: ${policy}`, () => {
      const found = parseSpf(records('some-verification=1', text, 'v=spf10 -all'));
      assert.deepEqual(found, { status: 'found', policy, record: text });
    });

  for (const [says, facts, status] of [
    ['other texts only', records('v=spf10 -all', 'spf1 -all', 'v=spf1-all', ' v=spf1 -all'), 'none'],
    ['no texts', NONE, 'none'],
    ['two records', records('v=spf1 -all', 'v=spf1 mx -all'), 'invalid'],
    ['an unknown mechanism', records('v=spf1 ipv4:192.0.2.1 -all'), 'invalid'],
    ['a syntax error after all', records('v=spf1 -all,'), 'invalid'],
    ['an address that is none', records('v=spf1 ip4:192.0.2 -all'), 'invalid'],
    ['a mechanism without its domain', records('v=spf1 include: -all'), 'invalid'],
    ['a failed lookup', UNKNOWN, 'unknown'],
  ] as const)
    it(`${says}: ${status}`, () => {
      assert.deepEqual(parseSpf(facts), { status, policy: null, record: null });
    });
});

describe('the DMARC record (RFC 7489)', () => {
  for (const [text, policy, subdomainPolicy] of [
    ['v=DMARC1; p=reject', 'reject', null],
    ['v=DMARC1;p=none;', 'none', null],
    ['v = DMARC1 ; P=none; p = Quarantine ; sp=REJECT; rua=mailto:d@acme.com', 'quarantine', 'reject'],
    ['v=DMARC1; p=wrong; rua=mailto:d@acme.com', 'none', null],
    ['v=DMARC1; p=reject; sp=wrong; rua=mailto:d@acme.com', 'none', null],
    ['v=DMARC1; rua=mailto:d@acme.com', 'none', null],
  ] as const)
    it(`${text}: ${policy}`, () => {
      const found = parseDmarc(records('other', text), 'acme.com');
      assert.deepEqual(found, { status: 'found', policy, subdomainPolicy, domain: 'acme.com', record: text });
    });

  for (const [says, facts, status] of [
    ['other texts only', records('v=dmarc1; p=none', 'p=none; v=DMARC1', 'v=DMARC10; p=none'), 'none'],
    ['no texts', NONE, 'none'],
    ['two records', records('v=DMARC1; p=none', 'v=DMARC1; p=reject'), 'invalid'],
    ['a tag twice', records('v=DMARC1; p=reject; p=none'), 'invalid'],
    ['no policy and no reports', records('v=DMARC1'), 'invalid'],
    ['a wrong policy and no reports', records('v=DMARC1; p=block'), 'invalid'],
    ['a failed lookup', UNKNOWN, 'unknown'],
  ] as const)
    it(`${says}: ${status}`, () => {
      const absent = { policy: null, subdomainPolicy: null, domain: null, record: null };
      assert.deepEqual(parseDmarc(facts, 'acme.com'), { status, ...absent });
    });
});

describe('the policies of a domain', () => {
  const find = async (texts: Record<string, TxtFacts>, domain = 'mail.acme.com') => {
    const asked: string[] = [];
    const lookupTxt = async (name: string): Promise<TxtFacts> => {
      asked.push(name);
      return texts[name] ?? NONE;
    };
    const { spf, dmarc } = await findPolicies(domain, 'acme.com', lookupTxt);
    return { spf: spf.status, dmarc: dmarc.domain ?? dmarc.status, asked };
  };
  const DMARC = records('v=DMARC1; p=reject');

  it('are at the domain and at _dmarc below it', async () => {
    const texts = { 'mail.acme.com': records('v=spf1 -all'), '_dmarc.mail.acme.com': DMARC };
    assert.deepEqual(await find(texts), {
      spf: 'found',
      dmarc: 'mail.acme.com',
      asked: ['mail.acme.com', '_dmarc.mail.acme.com'],
    });
  });

  it('include the DMARC record of the registrable domain if there is none', async () => {
    for (const own of [NONE, records('a wildcard')]) {
      const texts = { '_dmarc.mail.acme.com': own, '_dmarc.acme.com': DMARC, 'acme.com': records('v=spf1') };
      assert.deepEqual(await find(texts), {
        spf: 'none',
        dmarc: 'acme.com',
        asked: ['mail.acme.com', '_dmarc.mail.acme.com', '_dmarc.acme.com'],
      });
    }
  });

  it('do not if the own record is invalid or unknown, or the domain is the registrable one', async () => {
    const twice = records('v=DMARC1; p=none', 'v=DMARC1; p=none');
    for (const own of [twice, UNKNOWN]) {
      const { asked } = await find({ '_dmarc.mail.acme.com': own, '_dmarc.acme.com': DMARC });
      assert.equal(asked.length, 2);
    }
    assert.deepEqual((await find({}, 'acme.com')).asked, ['acme.com', '_dmarc.acme.com']);
  });
});
