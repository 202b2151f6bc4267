import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EmailCache } from '../email-cache.ts';
import { validateEmail } from '../validate-email.ts';
import { type DomainLists, loadDomainLists } from './domain-lists.ts';

describe('the operator’s lists', () => {
  const lists: DomainLists = loadDomainLists();
  const cache = new EmailCache();
  const DISPOSABLE_MX = [{ exchange: 'mail.mailinator.com', priority: 10 }];

  async function isDisposable(domain: string, exchanges = DISPOSABLE_MX): Promise<boolean> {
    const request = { email: `ann@${domain}`, checkMx: true, suggest: true, details: false };
    const lookupMail = async () => ({ outcome: 'mx', exchanges }) as const;
    return (await validateEmail(request, { lists, lookupMail, cache })).disposable;
  }

  function use(allowed: string[], blocked: string[]): void {
    lists.operator = { allowed: new Set(allowed), blocked: new Set(blocked) };
  }

  it('an allowed domain and those below it are never disposable, whatever other lists and MX say', async () => {
    assert.equal(await isDisposable('yopmail.com'), true);
    assert.equal(await isDisposable('acme.com'), true, 'by its mail host');
    use(['yopmail.com', 'acme.com'], []);
    assert.equal(await isDisposable('yopmail.com'), false);
    assert.equal(await isDisposable('mail.yopmail.com'), false);
    assert.equal(await isDisposable('acme.com'), false);
    use([], []);
    assert.equal(await isDisposable('yopmail.com'), true, 'cached profiles follow the change');
  });

  it('a blocked domain and those below it are always disposable, also a provider or a known typo', async () => {
    const exchanges = [{ exchange: 'mx.example.com', priority: 10 }];
    for (const domain of ['acme.org', 'gmail.com', 'gmial.com', 'duck.com']) {
      assert.equal(await isDisposable(domain, exchanges), false, domain);
      use([], [domain]);
      assert.equal(await isDisposable(domain, exchanges), true, domain);
      assert.equal(await isDisposable(`below.${domain}`, exchanges), true, domain);
      use([], []);
    }
  });

  it('the nearest name decides; a name on both lists is allowed', async () => {
    use(['acme.com', 'ok.bad.com', 'both.com'], ['spam.acme.com', 'bad.com', 'both.com']);
    const expected = {
      'acme.com': false,
      'a.acme.com': false,
      'spam.acme.com': true,
      'a.spam.acme.com': true,
      'bad.com': true,
      'ok.bad.com': false,
      'a.ok.bad.com': false,
      'both.com': false,
    };
    for (const [domain, disposable] of Object.entries(expected))
      assert.equal(await isDisposable(domain), disposable, domain);
    use([], []);
  });

  it('a private public suffix on the list means all domains below it', async () => {
    const exchanges = [{ exchange: 'mx.example.com', priority: 10 }];
    assert.equal(await isDisposable('foo.pp.ua', exchanges), false);
    use([], ['pp.ua']);
    assert.equal(await isDisposable('foo.pp.ua', exchanges), true);
    use([], []);
  });
});
