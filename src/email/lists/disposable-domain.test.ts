import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EmailCache } from '../email-cache.ts';
import { validateEmail } from '../validate-email.ts';
import { listEvidence } from './disposable-domain.ts';
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

describe('a suspected domain', () => {
  const bundled = loadDomainLists();
  const USUAL = [{ exchange: 'mx.acme-host.com', priority: 10 }];
  const NAMES = [
    'suspect.com',
    'gmial.com',
    'outlokc.com',
    'duck.com',
    'yeah.net',
    'github.io',
    'yopmail.com',
  ];

  /** Validates an address, with the names above on the list of suspected domains. */
  async function validate(domain: string, exchanges = USUAL, changed: Partial<DomainLists> = {}) {
    const lists: DomainLists = { ...bundled, suspected: new Set(NAMES), ...changed };
    const request = { email: `ann@${domain}`, checkMx: true, suggest: true, details: true };
    const lookupMail = async () => ({ outcome: 'mx', exchanges }) as const;
    const { disposable, didYouMean, details } = await validateEmail(request, { lists, lookupMail });
    return { disposable, didYouMean, ...details };
  }

  it('is not disposable; the verdict is risky with its reason and a score of 0.5', async () => {
    for (const domain of ['suspect.com', 'mail.below.suspect.com']) {
      const { disposable, verdict, reasons, score } = await validate(domain);
      assert.deepEqual(
        { disposable, verdict, reasons, score },
        {
          disposable: false,
          verdict: 'risky',
          reasons: ['suspected_disposable'],
          score: 0.5,
        },
      );
    }
  });

  it('is only the registrable domain and those below it: no part of a name, no public suffix', async () => {
    for (const domain of ['xsuspect.com', 'suspect.com.br', 'acme.github.io'])
      assert.deepEqual((await validate(domain)).reasons, [], domain);
  });

  it('is no relay, no provider, and no known misspelling of a provider', async () => {
    for (const neverDisposable of [bundled.neverDisposable, new Set<string>()])
      for (const disposable of [bundled.disposable, new Set(['duck.com'])]) {
        const { reasons } = await validate('duck.com', USUAL, { neverDisposable, disposable });
        assert.deepEqual(reasons, ['relay']);
      }
    assert.deepEqual((await validate('yeah.net')).reasons, []);
    assert.deepEqual((await validate('gmial.com')).reasons, ['typo']);
  });

  it('whose mail hosts are a relay’s is a relay', async () => {
    const { reasons, disposable } = await validate('suspect.com', [
      { exchange: 'mx1.simplelogin.co', priority: 10 },
    ]);
    assert.deepEqual([reasons, disposable], [['relay'], false]);
  });

  it('is disposable if its mail hosts serve only disposable domains, or if a list proves it', async () => {
    const byHosts = await validate('suspect.com', [{ exchange: 'mail.mailinator.com', priority: 10 }]);
    assert.deepEqual([byHosts.disposable, byHosts.reasons], [true, ['disposable']]);
    assert.deepEqual(byHosts.disposableEvidence?.at(-1)?.source, 'mail_hosts');
    const provider = await validate('gmail.com', [{ exchange: 'mail.mailinator.com', priority: 10 }]);
    assert.deepEqual([provider.disposable, provider.reasons], [false, []], 'not a provider');
    assert.deepEqual((await validate('yopmail.com')).reasons, ['disposable']);
  });

  it('has the suggestion that it would have otherwise', async () => {
    const { didYouMean, reasons, score } = await validate('outlokc.com');
    assert.deepEqual(
      [didYouMean, reasons, score],
      ['ann@outlook.com', ['typo', 'suspected_disposable'], 0.1],
    );
  });

  it('follows the operator’s lists, with their rule as evidence', async () => {
    const rule = (allowed: string[], blocked: string[]) => ({
      operator: { allowed: new Set(allowed), blocked: new Set(blocked) },
    });
    const allowed = await validate('suspect.com', USUAL, rule(['suspect.com'], []));
    assert.deepEqual([allowed.disposable, allowed.reasons], [false, []]);
    const blocked = await validate('mail.suspect.com', USUAL, rule([], ['suspect.com']));
    assert.deepEqual([blocked.disposable, blocked.reasons], [true, ['disposable']]);
    assert.deepEqual(blocked.disposableEvidence?.[0], {
      source: 'operator',
      says: 'disposable',
      date: null,
    });
  });
});

describe('disposable_evidence', () => {
  const bundled = loadDomainLists();

  async function list(domain: string): Promise<string[]> {
    const request = { email: `ann@${domain}`, checkMx: false, suggest: true, details: true };
    const deps = { lists: bundled, lookupMail: () => assert.fail('queried') };
    const { details } = await validateEmail(request, deps);
    return details?.disposableEvidence.map(({ says }) => says) ?? assert.fail();
  }

  it('is what lists say for and against a domain or its parent, and empty for others', async () => {
    for (const name of ['yopmail.com', 'a.b.yopmail.com', ...[...bundled.suspected].slice(0, 1)])
      assert.ok((await list(name)).includes('disposable'), name);
    assert.ok((await list('gmail.com')).includes('not_disposable'));
    assert.deepEqual(await list('acme.com'), []);
    assert.deepEqual(await list('[192.0.2.1]'), []);
  });

  it('names the domain or the parent that a list has', () => {
    const names = listEvidence('a.b.yopmail.com', bundled).map(({ name }) => name);
    assert.deepEqual(new Set(names), new Set(['yopmail.com']));
  });

  it('is empty for a malformed address', async () => {
    assert.deepEqual(await list('acme..com'), []);
  });
});
