import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EmailCache } from './email-cache.ts';
import { loadDomainLists } from './lists/domain-lists.ts';
import type { MailFacts } from './lookup-mail.ts';
import { validateEmail } from './validate-email.ts';

describe('EmailCache', () => {
  it('describes a domain once, until the lists are refreshed', () => {
    const lists = loadDomainLists();
    const cache = new EmailCache();
    const first = cache.getProfile('acme.com', lists);
    assert.equal(cache.getProfile('acme.com', lists), first);
    assert.equal(first.grade, 'unlisted');
    lists.disposable = new Set([...lists.disposable, 'acme.com']);
    assert.equal(cache.getProfile('acme.com', lists).grade, 'disposable');
    lists.suspected = new Set(['acme.org']);
    assert.notEqual(cache.getProfile('acme.com', lists), first);
    const known = cache.getProfile('acme.org', lists);
    assert.equal(known.grade, 'suspected');
    lists.suspected = new Set();
    assert.equal(cache.getProfile('acme.org', lists).grade, 'unlisted');
  });

  it('computes the verdict on the facts of one lookup once', () => {
    const cache = new EmailCache();
    const facts: MailFacts = { outcome: 'none', reason: 'nxdomain' };
    const verdict = cache.getVerdict(facts);
    assert.equal(verdict.reason, 'domain_not_found');
    assert.equal(cache.getVerdict(facts), verdict);
    assert.notEqual(cache.getVerdict({ ...facts }), verdict);
  });

  it('computes the traits of the same mail hosts once', () => {
    const cache = new EmailCache();
    const exchanges = [{ exchange: 'aspmx.l.google.com', priority: 10 }];
    const traits = cache.getHostTraits(exchanges);
    assert.deepEqual(traits, {
      provider: 'Google Workspace',
      hasTags: true,
      isRelay: false,
      isParked: false,
    });
    assert.equal(cache.getHostTraits(exchanges), traits);
    assert.notEqual(cache.getHostTraits([...exchanges]), traits);
  });

  it('does not change a report', async () => {
    const lists = loadDomainLists();
    const cache = new EmailCache();
    const facts: MailFacts = { outcome: 'mx', exchanges: [{ exchange: 'mx.acme.com', priority: 10 }] };
    for (const email of [
      'ann@gmail.com',
      'ann@outlokc.com',
      'ann@yopmail.com',
      'x@duck.com',
      'ann@gmail.com',
    ]) {
      const request = { email, checkMx: true, suggest: true, details: true };
      const deps = { lists, lookupMail: async () => facts };
      assert.deepEqual(await validateEmail(request, { ...deps, cache }), await validateEmail(request, deps));
    }
  });
});
