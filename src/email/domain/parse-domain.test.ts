import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getTypedDomain, getTypedDomainInSlices, parseDomain } from './parse-domain.ts';

const LABEL = 'a'.repeat(63);

it('a domain has at most 253 octets', () => {
  const longest = `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`;
  assert.equal(longest.length, 253);
  assert.deepEqual(parseDomain(longest), { ascii: longest });
  for (const more of ['a', 'aa', 'aaa']) assert.equal(parseDomain(`${longest}${more}`), 'domain_too_long');
});

it('a label has at most 63 octets', () => {
  assert.deepEqual(parseDomain(`${LABEL}.com`), { ascii: `${LABEL}.com` });
  assert.equal(parseDomain(`a${LABEL}.com`), 'label_too_long');
});

it('a domain in capitals is in lower case, and one in Unicode in A-labels', () => {
  assert.deepEqual(parseDomain('EXAMPLE.com'), { ascii: 'example.com' });
  assert.deepEqual(parseDomain('MÜNCHEN.de'), { ascii: 'xn--mnchen-3ya.de' });
});

it('the fault of a domain is its first', () => {
  const faults = {
    '': 'empty_domain',
    'a..b': 'domain_dots',
    '.a.b': 'domain_dots',
    'a.b.': 'trailing_dot',
    localhost: 'domain_without_dot',
    'a.1': 'numeric_top_level_domain',
    'a_b.com': 'domain_characters',
    '-a.com': 'domain_hyphens',
    'a-.com': 'domain_hyphens',
    'a\u00ad.com': 'domain_characters',
    'xn--a.com': 'domain_idna',
  };
  for (const [text, fault] of Object.entries(faults)) assert.equal(parseDomain(text), fault, text);
});

const LONG = 200_000;

/** Addresses, and the domain of each as it was typed. */
const CASES: [email: string, domain: string][] = [
  ['Ann@Example.ORG', 'example.org'],
  ['a@b@Example.org', 'example.org'],
  ['ann', ''],
  ['ann@', ''],
  ['ann@MÜNCHEN.de', 'münchen.de'],
  [`a@${'AZ[@`az{Ü'.replace('@', '').repeat(LONG)}`, 'az[`az{Ü'.repeat(LONG)],
  [`a@${'ŁA'.repeat(LONG)}`, 'Ła'.repeat(LONG)],
];

describe('the domain as it was typed', () => {
  for (const [email, domain] of CASES)
    it(`${email.slice(0, 20)}: ${domain.slice(0, 20)}`, async () => {
      assert.ok(getTypedDomain(email) === domain);
      assert.ok((await getTypedDomainInSlices(email)) === domain);
    });
});
