import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getTypedDomain, getTypedDomainInSlices } from './typed-domain.ts';

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
