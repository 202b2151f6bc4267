import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadDomainLists, type MailFacts, validateEmail } from '#email';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';
import { isKnownDomain, suggestDomain } from '../../src/email/suggest/suggest-domain.ts';

const lists = loadDomainLists();
const NOT_FOUND: MailFacts = { outcome: 'none', reason: 'nxdomain' };
const DNS_SILENT: MailFacts = { outcome: 'unknown', reason: 'timeout' };
const ACCEPTS_MAIL: MailFacts = {
  outcome: 'mx',
  exchanges: [{ exchange: 'mx.mail-host.com', priority: 10 }],
};

async function suggest(email: string, facts: MailFacts | null = null): Promise<string | null> {
  const request = { email, checkMx: facts !== null, suggest: true, details: false };
  const deps = { lists, lookupMail: async () => facts ?? assert.fail('queried DNS') };
  return (await validateEmail(request, deps)).didYouMean;
}

function loadRows(name: string): string[][] {
  const text = readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}

const DNS_MODES: Record<string, MailFacts | null> = {
  'without DNS': null,
  'if DNS is silent': DNS_SILENT,
  'if no domain exists': NOT_FOUND,
  'if every domain accepts mail': ACCEPTS_MAIL,
};

describe('the suggestion vectors', () => {
  for (const [what, facts] of Object.entries(DNS_MODES)) {
    it(`recall ≥ 97 % with no wrong correction, ${what}`, async () => {
      const rows = loadRows('email-typos.tsv');
      let right = 0;
      const wrong: string[] = [];
      for (const [typed = '', meant] of rows) {
        const got = await suggest(typed, facts);
        if (got === meant) right++;
        else if (got !== null) wrong.push(`${typed} → ${got}`);
      }
      assert.deepEqual(wrong, []);
      assert.ok(right / rows.length >= 0.97, `${right} of ${rows.length}`);
    });

    it(`≤ 0.2 % of real domains corrected, ${what}`, async () => {
      const rows = loadRows('email-not-typos.tsv');
      const corrected: string[] = [];
      for (const [address = ''] of rows) {
        const got = await suggest(address, facts);
        if (got !== null) corrected.push(`${address} → ${got}`);
      }
      assert.ok(corrected.length <= 0.002 * rows.length, corrected.join(', '));
    });
  }
});

describe('seeded random typos', () => {
  const TARGETS =
    'gmail.com yahoo.com hotmail.com outlook.com icloud.com googlemail.com protonmail.com comcast.net verizon.net sbcglobal.net bellsouth.net btinternet.com yahoo.co.uk hotmail.co.uk wanadoo.fr laposte.net t-online.de libero.it yandex.ru rediffmail.com'.split(
      ' ',
    );

  it('of twenty providers are corrected in ≥ 95 %, in ≥ 90 % over mail, and to another provider in ≤ 0.1 %', () => {
    const next = openRandom(20_261_121);
    let tried = 0;
    let right = 0;
    let overMail = 0;
    const wrong: string[] = [];
    for (let round = 0; round < 10_000; round++) {
      const meant = TARGETS[next(TARGETS.length)] as string;
      const typed = mistype(meant, next);
      if (typed === meant || isKnownDomain(typed, lists)) continue;
      tried++;
      const found = suggestDomain(typed, lists);
      const got = found?.domain ?? null;
      if (got === meant) right++;
      else if (got !== null) wrong.push(`${typed} → ${got}`);
      if (got === meant && (found?.overridesMail === true || !getDomainFacts(typed).hasKnownTld)) overMail++;
    }
    assert.ok(right / tried >= 0.95, `${right} of ${tried}`);
    assert.ok(overMail / tried >= 0.9, `${overMail} of ${tried} over mail`);
    assert.ok(wrong.length / tried <= 0.001, wrong.join(', '));
  });

  /** A linear congruential generator: the same typos on every machine. */
  function openRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return Math.floor((state / 0x80000000) * below);
    };
  }

  function mistype(word: string, next: (below: number) => number): string {
    const at = next(word.length);
    const letter = String.fromCharCode(0x61 + next(26));
    switch (next(4)) {
      case 0:
        return word.slice(0, at) + word.slice(at + 1);
      case 1:
        return word.slice(0, at) + letter + word.slice(at);
      case 2:
        return word.slice(0, at) + letter + word.slice(at + 1);
      default:
        return word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2);
    }
  }
});

describe('suggestions', () => {
  for (const [typed, meant] of [
    ['ann@gmail-com.com', 'ann@gmail.com'],
    ['ann@terra.com.bt', 'ann@terra.com.br'],
    ['ann@terra.cim.br', 'ann@terra.com.br'],
    ['ann@gmail.com.', 'ann@gmail.com'],
    ['ann@gmail,com', 'ann@gmail.com'],
    ['ann@gmail;com', 'ann@gmail.com'],
    ['ann@gmail com', 'ann@gmail.com'],
    ['ann@gmail..com', 'ann@gmail.com'],
    ['ann@.gmail.com', 'ann@gmail.com'],
    ['ann@gmail', 'ann@gmail.com'],
    ['ann@gmailcom', 'ann@gmail.com'],
    ['ann@gmialcom', 'ann@gmail.com'],
    ['ann@hotmailcouk', 'ann@hotmail.co.uk'],
    ['ann@@gmail.com', 'ann@gmail.com'],
    ['ann @ gmail.com', 'ann@gmail.com'],
    ['ann(at)gmail.com', 'ann@gmail.com'],
    ['ann at gmail.com', 'ann@gmail.com'],
    ['ann@gmail.com@gmail.com', 'ann@gmail.com'],
    ['mailto:ann@gmial.com', 'ann@gmail.com'],
    ['<ann@gmail.com>', 'ann@gmail.com'],
    ['MAILTO:ann@gmail.com?subject=Hello', 'ann@gmail.com'],
    ['@ann@gmail.com', 'ann@gmail.com'],
    ['ann@gmail.com@', 'ann@gmail.com'],
    ['ann\uff20gmail.com', 'ann@gmail.com'],
    ['Ann Lee <ann@example.org>', 'ann@example.org'],
    ['"Lee, Ann" <ann@example.org>', 'ann@example.org'],
    ["'ann@gmail.com'", 'ann@gmail.com'],
    ['ann@gmail.com/', 'ann@gmail.com'],
    ['\u202aann@gmail.com\u202c', 'ann@gmail.com'],
    ['ann@gm\u200bail.com', 'ann@gmail.com'],
    ['ann@www.gmail.com', 'ann@gmail.com'],
    ['Ann.Lee+x@GMIAL.COM', 'Ann.Lee+x@gmail.com'],
    ['"a b"@gmial.com', '"a b"@gmail.com'],
    ['ann@gm\u0430il.com', 'ann@gmail.com'],
    ['ann@gmäil.com', 'ann@gmail.com'],
    ['ann@xn--gmil-63d.com', 'ann@gmail.com'],
    ['ann@acme.con', 'ann@acme.com'],
    ['ann@acme.cmo', 'ann@acme.com'],
    ['ann@acme.couk', 'ann@acme.co.uk'],
    ['ann@acme.nte', 'ann@acme.net'],
    ['ann@acme.ogr', 'ann@acme.org'],
    ['ann@gmale.con', 'ann@gmail.com'],
    ['ann@gmail.com.br', 'ann@gmail.com'],
    ['ann@yahoo.com.uk', 'ann@yahoo.co.uk'],
    ['ann@gmail.com.cl', 'ann@gmail.com'],
    ['ann@uol.com.be', 'ann@uol.com.br'],
    ['ann@gamial.com', 'ann@gmail.com'],
    ['ann@utloook.com', 'ann@outlook.com'],
    ['ann@1gmail.com', 'ann@gmail.com'],
    ['ann@1975yahoo.com', 'ann@yahoo.com'],
    ['ann@hotmila.com', 'ann@hotmail.com'],
    ['ann@yaooh.com', 'ann@yahoo.com'],
    ['ann@gmailll.com', 'ann@gmail.com'],
    ['ann@yahoocom.com', 'ann@yahoo.com'],
    ['ann@webde', 'ann@web.de'],
    ['ann@t.online.de', 'ann@t-online.de'],
    ['ann@g-mail.com', 'ann@gmail.com'],
    ['ann@jandex.ru', 'ann@yandex.ru'],
    ['ann@acror.de', 'ann@arcor.de'],
    ['ann@zigo.nl', 'ann@ziggo.nl'],
    ['ann@gimil.con', 'ann@gmail.com'],
    ['ann@live.om.mx', 'ann@live.com.mx'],
    ['ann@gmail.co.com', 'ann@gmail.com'],
    ['ann@maiul.ru', 'ann@mail.ru'],
    ['ann@münchen.con', 'ann@münchen.com'],
    ['ann@MÜNCHEN.dee', 'ann@münchen.de'],
    ['ann@xn--mnchen-3ya.con', 'ann@xn--mnchen-3ya.com'],
    ['xn--ann@münchen.con', 'xn--ann@münchen.com'],
    ['ann@@münchen.dee', 'ann@münchen.de'],
    ['ann@почта.рфф', 'ann@почта.рф'],
    ['ann@почта.фр', 'ann@почта.рф'],
    ['ann@почта.ру', 'ann@почта.рф'],
    ['ann@acme.ру', 'ann@acme.ru'],
    ['ann@acme.сом', 'ann@acme.com'],
    ['ann@пьфшд.сщь', 'ann@gmail.com'],
    ['ann@ьфшдюкг', 'ann@mail.ru'],
  ] as const) {
    it(`${JSON.stringify(typed)} → ${meant}`, async () => {
      assert.equal(await suggest(typed), meant);
    });
  }

  for (const typed of [
    'ann@gmail.com',
    'ann@googlemail.com',
    'ann@ymail.com',
    'ann@example.com',
    'ann@example.net',
    'ann@mailinator.com',
    'ann@mailinator.con',
    'ann@localhost',
    'ann@printer.local',
    'ann@host.internal',
    'ann@[192.0.2.1]',
    'ann@student.gmial.com',
    'ann@gmail.mycompany.com',
    'ann@co.uk',
    'ann@harvard.edu',
    'ann@hicloud.com',
    'ann@ncloud.com',
    'ann@netmail.com',
    'ann@oranges.net',
    'ann@tellus.net',
    'ann@pronto.me',
    'ann@ziggy.nl',
    'ann@webb.org',
    'ann@cam.ac.uk',
    'ann@yahoo.com.is',
    'ann@yahoo.com.si',
    'ann@webmail.co.yu',
    'ann@acme.co.yu',
    'ann@kmsn.com',
    'ann@gmail.hu',
    'ann@hotmail.ed',
    'ann@hotmail.ro',
    'ann@gmail.googleapis.com',
    'ann@почта.рф',
    'ann@exa_mple.com',
    'ann@acme.com?subject=x',
    'a b@gmial.com',
    'ann',
    '@gmial.com',
    'ann@',
    `ann@${'gmial.'.repeat(40)}com`,
  ]) {
    it(`${JSON.stringify(typed.slice(0, 40))} has no suggestion`, async () => {
      assert.equal(await suggest(typed), null);
    });
  }
});

describe('suggestions and DNS', () => {
  it('a domain near a large provider is corrected even if it accepts mail', async () => {
    for (const typed of ['ann@outloko.com', 'ann@gmqil.com', 'ann@yaooh.com', 'ann@xn--gmil-63d.com']) {
      assert.notEqual(await suggest(typed, ACCEPTS_MAIL), null, typed);
    }
  });

  it('a domain that accepts mail is not corrected if a small provider, or no provider, was meant', async () => {
    for (const [typed, meant] of [
      ['ann@earthalink.net', 'ann@earthlink.net'],
      ['ann@acme.com.com', 'ann@acme.com'],
    ] as const) {
      assert.equal(await suggest(typed), meant);
      assert.equal(await suggest(typed, ACCEPTS_MAIL), null);
    }
  });

  it('a parked domain is corrected even if it accepts mail', async () => {
    const parked: MailFacts = { outcome: 'mx', exchanges: [{ exchange: 'mail.h-email.net', priority: 10 }] };
    assert.equal(await suggest('ann@earthalink.net', parked), 'ann@earthlink.net');
  });

  it('a suggestion for a domain that accepts mail leaves the address valid', async () => {
    const request = { email: 'ann@gmqil.com', checkMx: true, suggest: true, details: true };
    const report = await validateEmail(request, { lists, lookupMail: async () => ACCEPTS_MAIL });
    assert.equal(report.didYouMean, 'ann@gmail.com');
    assert.equal(report.valid, true);
    assert.ok(report.details?.reasons.includes('typo'));
  });

  it('a domain that is known to serve mail is never corrected', async () => {
    assert.ok(lists.suggestions.mailDomains.size > 200);
    for (const domain of lists.suggestions.mailDomains) {
      for (const facts of Object.values(DNS_MODES)) {
        assert.equal(await suggest(`ann@${domain}`, facts), null);
      }
    }
  });

  it('a neighbor of a provider is corrected only if DNS proves that it accepts no mail', async () => {
    assert.equal(await suggest('ann@icould.com', NOT_FOUND), 'ann@icloud.com');
    const nullMx: MailFacts = { outcome: 'mx', exchanges: [{ exchange: '', priority: 0 }] };
    assert.equal(await suggest('ann@icould.com', nullMx), 'ann@icloud.com');
    const others: MailFacts[] = [DNS_SILENT, ACCEPTS_MAIL];
    for (const domain of lists.suggestions.neighbors) {
      for (const facts of others) {
        assert.equal(await suggest(`ann@${domain}`, facts), null, domain);
      }
    }
  });

  it('a domain with a null MX, no MX or a failed lookup is corrected', async () => {
    for (const facts of [
      { outcome: 'mx', exchanges: [{ exchange: '', priority: 0 }] },
      { outcome: 'address' },
      { outcome: 'unknown', reason: 'servfail' },
    ] satisfies MailFacts[]) {
      assert.equal(await suggest('ann@outlokc.com', facts), 'ann@outlook.com');
    }
  });

  it('suggest=false suggests nothing', async () => {
    const request = { email: 'ann@gmial.com', checkMx: false, suggest: false, details: true };
    const report = await validateEmail(request, { lists, lookupMail: () => assert.fail('queried DNS') });
    assert.equal(report.didYouMean, null);
    assert.equal(report.details?.suggestionConfidence, null);
  });
});

describe('an address with marks of pasting or dots that RFC 5321 forbids', () => {
  const MX: MailFacts = ACCEPTS_MAIL;
  for (const [typed, facts, expected] of [
    ['“ann@acme.com', MX, 'ann@acme.com'],
    ['“ann@acme.com', DNS_SILENT, 'ann@acme.com'],
    ['“ann@acme.com', NOT_FOUND, null],
    ['“ann@gmial.com', MX, 'ann@gmail.com'],
    ['“ann@gmial.com”', null, 'ann@gmail.com'],
    ['“ann@MÜNCHEN.de', MX, 'ann@münchen.de'],
    ['“ann@hicloud.com', MX, 'ann@hicloud.com'],
    ['“ann@yopmail.com', MX, null],
    ['“ann@yopmail.com”', null, null],
    ['“@acme.com', MX, null],
    ['o’neil@acme.com', MX, "o'neil@acme.com"],
    ["o'neil@acme.com", MX, null],
    ['•ann..b.@gmial.com (Ann)', null, 'ann.b@gmail.com'],
    ['ann..b@acme.com', null, 'ann.b@acme.com'],
    ['.ann@acme.com', null, 'ann@acme.com'],
    ['ann.@acme.com', null, 'ann@acme.com'],
    ['.@acme.com', null, null],
    ['"a..b"@acme.com', null, null],
    ['ann..b@docomo.ne.jp', null, null],
    ['ann.@ezweb.ne.jp', null, null],
    ['“ann lee@acme.com”', null, null],
    ['“ann”@acme.com, “bob”@acme.com', null, null],
  ] as const)
    it(`${typed}${facts === null ? '' : ` (${facts.outcome})`} → ${expected}`, async () => {
      assert.equal(await suggest(typed, facts), expected);
    });
});
