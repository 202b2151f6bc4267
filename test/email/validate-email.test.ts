import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DomainLists,
  EmailCache,
  type EmailReport,
  loadDomainLists,
  type MailFacts,
  validateEmail,
} from '#email';
import { settlesInTurn } from '../support/settles-in-turn.ts';

const lists = loadDomainLists();

function mx(...exchanges: string[]): MailFacts {
  return { outcome: 'mx', exchanges: exchanges.map((exchange, at) => ({ exchange, priority: at * 10 })) };
}

async function validate(email: string, facts?: MailFacts, checkMx = true): Promise<EmailReport> {
  const lookupMail = async () => facts ?? assert.fail(`queried DNS for ${email}`);
  return validateEmail({ email, checkMx, suggest: true, details: true }, { lists, lookupMail });
}

describe('validateEmail', () => {
  it('returns the members of the contract, and details only on request', async () => {
    const deps = { lists, lookupMail: async () => mx('aspmx.l.google.com') };
    const plain = await validateEmail(
      { email: ' Ann@GMail.com ', checkMx: true, suggest: true, details: false },
      deps,
    );
    assert.deepEqual(plain, {
      email: 'Ann@GMail.com',
      valid: true,
      disposable: false,
      mxFound: true,
      formatValid: true,
      didYouMean: null,
      domain: 'gmail.com',
      freeProvider: true,
    });
    const full = await validateEmail(
      { email: 'A.nn+x@googlemail.com', checkMx: true, suggest: true, details: true },
      deps,
    );
    const { disposableEvidence, ...details } = full.details ?? assert.fail();
    assert.ok(disposableEvidence.length > 0, 'of the lists of providers');
    assert.deepEqual(details, {
      verdict: 'deliverable',
      reasons: [],
      score: 1,
      mxStatus: 'found',
      reason: 'ok',
      normalized: 'ann@gmail.com',
      localPart: 'A.nn',
      subAddress: 'x',
      role: false,
      relay: false,
      parked: false,
      provider: 'Google Workspace',
      mxRecords: [{ exchange: 'aspmx.l.google.com', priority: 0 }],
      spf: null,
      dmarc: null,
      suggestionConfidence: null,
    });
  });

  const MATRIX: [string, MailFacts, { valid: boolean; mxFound: boolean; status: string; reason: string }][] =
    [
      ['an MX', mx('mx.acme.com'), { valid: true, mxFound: true, status: 'found', reason: 'ok' }],
      ['a null MX', mx(''), { valid: false, mxFound: false, status: 'null_mx', reason: 'null_mx' }],
      [
        'a null MX written with its dot',
        mx('.'),
        { valid: false, mxFound: false, status: 'null_mx', reason: 'null_mx' },
      ],
      [
        'a null MX beside a real one',
        mx('', 'mx.acme.com'),
        { valid: true, mxFound: true, status: 'found', reason: 'ok' },
      ],
      [
        'MX to localhost',
        mx('localhost'),
        { valid: false, mxFound: true, status: 'found', reason: 'unusable_mx' },
      ],
      [
        'MX without a public address',
        { ...mx('mx.acme.com'), unreachable: true } as MailFacts,
        { valid: false, mxFound: true, status: 'found', reason: 'unreachable_mx' },
      ],
      [
        'MX to a name under localhost',
        mx('mx.localhost'),
        { valid: false, mxFound: true, status: 'found', reason: 'unusable_mx' },
      ],
      [
        'MX to an address literal',
        mx('192.0.2.1'),
        { valid: false, mxFound: true, status: 'found', reason: 'unusable_mx' },
      ],
      [
        'MX to a private name',
        mx('mail.corp.internal'),
        { valid: false, mxFound: true, status: 'found', reason: 'unusable_mx' },
      ],
      [
        'MX to a single label',
        mx('mail'),
        { valid: false, mxFound: true, status: 'found', reason: 'unusable_mx' },
      ],
      [
        'MX to localhost and to a host',
        mx('localhost', 'mx.acme.com'),
        { valid: true, mxFound: true, status: 'found', reason: 'ok' },
      ],
      [
        'only an address',
        { outcome: 'address' },
        { valid: true, mxFound: false, status: 'implicit', reason: 'ok' },
      ],
      [
        'NXDOMAIN',
        { outcome: 'none', reason: 'nxdomain' },
        { valid: false, mxFound: false, status: 'none', reason: 'domain_not_found' },
      ],
      [
        'neither an MX nor an address',
        { outcome: 'none', reason: 'nodata' },
        { valid: false, mxFound: false, status: 'none', reason: 'no_mail_host' },
      ],
      [
        'only a private address',
        { outcome: 'none', reason: 'no_public_address' },
        { valid: false, mxFound: false, status: 'none', reason: 'no_public_address' },
      ],
      ...(
        ['servfail', 'refused', 'timeout', 'network', 'lying_resolver', 'overloaded', 'malformed'] as const
      ).map((reason): (typeof MATRIX)[number] => [
        `a failed lookup (${reason})`,
        { outcome: 'unknown', reason },
        { valid: true, mxFound: false, status: 'unknown', reason: `dns_${reason}` },
      ]),
    ];
  for (const [what, facts, expected] of MATRIX) {
    it(`validates a domain with ${what}`, async () => {
      const { valid, mxFound, details } = await validate('ann@acme.com', facts);
      assert.deepEqual({ valid, mxFound, status: details?.mxStatus, reason: details?.reason }, expected);
    });
  }

  it('sends no query for a domain that cannot exist or needs none', async () => {
    for (const [email, reason] of [
      ['ann@acme.con', 'unknown_tld'],
      ['ann@printer.local', 'special_use_domain'],
      ['ann@a.test', 'special_use_domain'],
      ['ann@a.example', 'special_use_domain'],
      ['ann@a.invalid', 'special_use_domain'],
      ['ann@a.localhost', 'special_use_domain'],
      ['ann@a.onion', 'special_use_domain'],
      ['ann@a.alt', 'special_use_domain'],
      ['ann@a.internal', 'special_use_domain'],
      ['ann@1.0.0.10.in-addr.arpa', 'special_use_domain'],
      ['ann@home.arpa', 'special_use_domain'],
      ['ann@[192.0.2.1]', 'address_literal'],
      ['ann@[IPv6:2001:db8::1]', 'address_literal'],
    ] as const) {
      const report = await validate(email);
      assert.deepEqual(
        [report.formatValid, report.valid, report.mxFound, report.details?.reason, report.details?.mxStatus],
        [true, false, false, reason, 'not_checked'],
        email,
      );
    }
  });

  it('knows the null MX of the example domains without a query', async () => {
    for (const domain of ['example.com', 'example.net', 'example.org']) {
      const { valid, mxFound, formatValid, details } = await validate(`ann@${domain}`);
      assert.deepEqual([formatValid, valid, mxFound, details?.mxStatus], [true, false, false, 'null_mx']);
    }
  });

  it('sends no query if checkMx is false', async () => {
    const report = await validate('ann@acme.com', undefined, false);
    assert.deepEqual([report.valid, report.mxFound, report.details?.mxStatus], [true, false, 'not_checked']);
  });

  it('queries the A-labels and returns the domain as typed', async () => {
    const queries: string[] = [];
    const lookupMail = async (domain: string) => {
      queries.push(domain);
      return mx('mx.acme.com');
    };
    const request = { checkMx: true, suggest: true, details: true };
    const typed = await validateEmail({ email: 'ann@MÜNCHEN.de', ...request }, { lists, lookupMail });
    const ascii = await validateEmail({ email: 'ann@XN--mnchen-3ya.de', ...request }, { lists, lookupMail });
    assert.deepEqual(queries, ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de']);
    assert.deepEqual([typed.domain, ascii.domain], ['münchen.de', 'xn--mnchen-3ya.de']);
    assert.equal(typed.details?.normalized, ascii.details?.normalized);
  });

  it('returns what follows the last at sign as the domain, even of a malformed address', async () => {
    for (const [email, domain] of [
      ['no address', ''],
      ['a@b@C', 'c'],
      ['a@', ''],
      ['a@[IPv6:::1', '[ipv6:::1'],
    ] as const) {
      const report = await validate(email);
      assert.deepEqual([report.domain, report.formatValid, report.valid], [domain, false, false]);
    }
  });

  it('rejects with the reason of an aborted signal, before and during the lookup', async () => {
    const request = { email: 'ann@acme.com', checkMx: true, suggest: true, details: false };
    const reason = new Error('gone');
    const withoutDns = { lists, lookupMail: () => assert.fail('queried DNS') };
    await assert.rejects(async () => validateEmail(request, withoutDns, AbortSignal.abort(reason)), reason);
    const ending = new AbortController();
    const waiting = validateEmail(
      request,
      {
        lists,
        lookupMail: (_domain, signal) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
      },
      ending.signal,
    );
    ending.abort(reason);
    await assert.rejects(async () => waiting, reason);
  });

  it('returns the report in the same turn of the event loop if the lookup does', async () => {
    const cachedDns = { lists, lookupMail: async () => mx('mx.acme.com') };
    const request = { email: 'ann@acme.com', checkMx: true, suggest: true, details: false };
    assert.ok(await settlesInTurn(validateEmail(request, cachedDns)));
  });
});

describe('disposable and free', () => {
  const facts = mx('mx.acme.com');
  for (const [domain, disposable, free] of [
    ['mailinator.com', true, false],
    ['Mailinator.COM', true, false],
    ['x.y.mailinator.com', true, false],
    ['acmemailinator.com', false, false],
    ['yopmail.com', true, false],
    ['10minutemail.com', true, false],
    ['guerrillamail.com', true, false],
    ['duck.com', false, true],
    ['privaterelay.appleid.com', false, false],
    ['simplelogin.com', false, false],
    ['aleeas.com', false, false],
    ['anonaddy.me', false, false],
    ['passmail.net', false, false],
    ['relay.mozmail.com', false, false],
    ['addy.io', false, false],
    ['gmail.com', false, true],
    ['hotmail.co.uk', false, true],
    ['yahoo.com.br', false, true],
    ['vip.qq.com', false, true],
    ['tuta.io', false, true],
    ['hey.com', false, true],
    ['mailbox.org', false, true],
    ['riseup.net', false, true],
    ['zohomail.eu', false, true],
    ['internet.ru', false, true],
    ['proton.me', false, true],
    ['facebook.com', false, false],
    ['google.com', false, false],
    ['microsoft.com', false, false],
    ['stanford.edu', false, false],
    ['foo.pp.ua', false, false],
    ['pp.ua', false, false],
    ['shop.za.com', false, false],
    ['foo.com.ar', false, false],
    ['co.uk', false, false],
  ] as const) {
    it(`${domain} is ${disposable ? '' : 'not '}disposable and ${free ? '' : 'not '}free`, async () => {
      const report = await validate(`ann@${domain}`, facts);
      assert.deepEqual([report.disposable, report.freeProvider], [disposable, free]);
    });
  }

  it('a domain is disposable if each of its mail hosts serves only disposable domains', async () => {
    assert.equal(
      (await validate('ann@acme.com', mx('mail.mailinator.com', 'mail2.mailinator.com'))).disposable,
      true,
    );
    assert.equal(
      (await validate('ann@acme.com', mx('mail.mailinator.com', 'aspmx.l.google.com'))).disposable,
      false,
    );
    assert.equal((await validate('ann@acme.com', mx('mail.acmemailinator.com'))).disposable, false);
    assert.equal((await validate('ann@acme.com', mx(''))).disposable, false);
  });

  it('a known typo or a provider is not disposable, even if a fetched list contains it', async () => {
    const fetched: DomainLists = {
      ...lists,
      disposable: new Set([...lists.disposable, 'gmial.com', 'mail.gmail.com', 'acme.com']),
    };
    const request = { checkMx: false, suggest: true, details: false };
    const deps = { lists: fetched, cache: new EmailCache(), lookupMail: () => assert.fail('queried DNS') };
    const typed = await validateEmail({ email: 'ann@gmial.com', ...request }, deps);
    assert.deepEqual([typed.disposable, typed.didYouMean], [false, 'ann@gmail.com']);
    const below = await validateEmail({ email: 'ann@mail.gmail.com', ...request }, deps);
    assert.equal(below.disposable, false);
    const listed = await validateEmail({ email: 'ann@acme.com', ...request }, deps);
    assert.equal(listed.disposable, true);
    fetched.disposable = lists.disposable;
    const swapped = await validateEmail({ email: 'ann@acme.com', ...request }, deps);
    assert.equal(swapped.disposable, false, 'cached profiles are dropped with the list');
  });

  it('does not change valid', async () => {
    assert.equal((await validate('ann@mailinator.com', facts)).valid, true);
  });
});
