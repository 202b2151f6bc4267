import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isFullRun } from '../../../test/support/sample.ts';
import { MAILBOX_RULES } from './mailbox-rules.ts';
import { isPlaceholder, isRole, normalizeAddress, splitLocalPart } from './normalize-address.ts';
import { type MailAddress, parseAddress } from './parse-address.ts';
import { loadDomainLists } from '../lists/domain-lists.ts';

function parse(text: string): MailAddress {
  const address = parseAddress(text);
  return typeof address === 'object' ? address : assert.fail(`${text}: ${address}`);
}

function normalize(text: string, hasTags = false): string {
  return normalizeAddress(parse(text), hasTags);
}

/** Addresses whose domain has no rule, and their normalized form. */
const KEPT = {
  'Ann@Example.ORG': 'Ann@example.org',
  'Ann+News@Example.ORG': 'Ann+News@example.org',
  '"ann"@example.org': 'ann@example.org',
  '"a\\nn"@example.org': 'ann@example.org',
  '"a b"@example.org': '"a b"@example.org',
  '"a\\"b"@example.org': '"a\\"b"@example.org',
  '".a"@example.org': '".a"@example.org',
  'ann@münchen.de': 'ann@xn--mnchen-3ya.de',
  '用户@example.org': '用户@example.org',
  'Ann@[IPv6:2001:DB8::1]': 'Ann@[ipv6:2001:db8::1]',
  'Ann+x@gmx.de': 'Ann+x@gmx.de',
  'Ann+x@web.de': 'Ann+x@web.de',
  'Ann+x@mail.ru': 'Ann+x@mail.ru',
  'Ann+x@tuta.com': 'Ann+x@tuta.com',
  'Ann+x@aol.com': 'Ann+x@aol.com',
  'Ann+x@mail.gmail.com': 'Ann+x@mail.gmail.com',
};

/** Addresses at the edges of a rule, and their normalized form. */
const EDGES = {
  '+x@gmail.com': '+x@gmail.com',
  '+x+y@gmail.com': '+x+y@gmail.com',
  'a+@gmail.com': 'a@gmail.com',
  'a+x+y@gmail.com': 'a@gmail.com',
  '"..."@gmail.com': '"..."@gmail.com',
  '"a.b+c d"@gmail.com': 'ab@gmail.com',
  '"."@proton.me': '"."@proton.me',
  'a.+x@outlook.com': '"a."@outlook.com',
  // 64 octets: the name would need quotes, and has no room for them.
  [`${'a'.repeat(62)}.+@outlook.com`]: `${'a'.repeat(62)}.+@outlook.com`,
  'Ä.b+x@gmail.com': 'Ä.b+x@gmail.com',
  'a-\u0301b@proton.me': 'a-\u0301b@proton.me',
  'ann+x@Ann.Fastmail.com': 'ann@fastmail.com',
  'shop@ann.lee.fastmail.com': 'shop@ann.lee.fastmail.com',
  'shop@ann-lee.fastmail.com': 'shop@ann-lee.fastmail.com',
  'shop@ann.gmail.com': 'shop@ann.gmail.com',
};

/** At a company's domain whose mail hosts are those of a provider that delivers tags. */
const TAGGED = {
  'Ann.Lee+x@acme.com': 'Ann.Lee@acme.com',
  'ann+x+y@acme.com': 'ann@acme.com',
  'ann@acme.com': 'ann@acme.com',
  '+x@acme.com': '+x@acme.com',
  '"a b+x"@acme.com': '"a b"@acme.com',
  '用户+x@acme.com': '用户@acme.com',
};

/** Pairs of addresses that may belong to two people. */
const DIFFERENT = [
  ['ann-shop@yahoo.com', 'ann@yahoo.com'],
  ['ann-shop@yahoo.co.jp', 'ann@yahoo.co.jp'],
  ['ann.lee@yahoo.com', 'annlee@yahoo.com'],
  ['ann@yahoo.com', 'ann@ymail.com'],
  ['ann@yahoo.com', 'ann@yahoo.fr'],
  ['ann@outlook.com', 'ann@hotmail.com'],
  ['ann@outlook.com', 'ann@outlook.fr'],
  ['ann@live.com', 'ann@msn.com'],
  ['ann.lee@outlook.com', 'annlee@outlook.com'],
  ['ann.lee@icloud.com', 'annlee@icloud.com'],
  ['ann-lee@gmail.com', 'annlee@gmail.com'],
  ['ann_lee@gmail.com', 'annlee@gmail.com'],
  ['ann.lee@yandex.ru', 'annlee@yandex.ru'],
  ['ann@fastmail.com', 'ann@fastmail.fm'],
  ['shop@ann.fastmail.com', 'shop@fastmail.com'],
  ['shop@ann-lee.fastmail.com', 'ann-lee@fastmail.com'],
  ['ann@zoho.com', 'ann@zohomail.com'],
  ['ann.lee@acme.com', 'annlee@acme.com'],
  ['ann-lee@acme.com', 'ann@acme.com'],
  ['Ann@acme.com', 'ann@acme.com'],
] as const;

const docs = readFileSync(new URL('../../../docs/reference/email.md', import.meta.url), 'utf8');

describe('normalizeAddress', () => {
  for (const [what, cases, hasTags] of [
    ['keeps', KEPT, false],
    ['handles', EDGES, false],
    ['removes the tag, at hosts of a provider that delivers tags:', TAGGED, true],
  ] as const)
    for (const [text, normalized] of Object.entries(cases))
      it(`${what} ${text}`, () => {
        assert.equal(normalize(text, hasTags), normalized);
        assert.equal(normalize(normalized, hasTags), normalized, 'idempotent');
      });

  for (const [one, other] of DIFFERENT)
    it(`does not merge ${one} and ${other}`, () => {
      for (const hasTags of [false, true])
        assert.notEqual(normalize(one, hasTags), normalize(other, hasTags));
    });

  it('returns a valid address that is its own normalized form', () => {
    const unit = fc.constantFrom(...Array.from('aA1.+-_ "\\@é\u0301\u212aİ'));
    const local = fc.oneof(
      fc.string({ unit, minLength: 1, maxLength: 8 }),
      fc.string({ unit, minLength: 56, maxLength: 64 }),
    );
    const domains = MAILBOX_RULES.flatMap((rule) => rule.domains);
    const domain = fc.constantFrom(...domains, 'acme.com', 'ann.fastmail.com', 'a-b.sent.com', 'münchen.de');
    const runs = isFullRun ? 20_000 : 5_000;
    let valid = 0;
    fc.assert(
      fc.property(local, domain, fc.boolean(), fc.boolean(), (name, host, isQuoted, hasTags) => {
        const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`;
        const address = parseAddress(`${isQuoted ? quoted : name}@${host}`);
        if (typeof address === 'string') return;
        valid++;
        const normalized = normalizeAddress(address, hasTags);
        assert.equal(normalize(normalized, hasTags), normalized);
      }),
      { numRuns: runs, seed: 20_261_122 },
    );
    assert.ok(valid > runs / 10, `${valid} valid addresses`);
  });
});

describe('the rules of mailboxes', () => {
  for (const { provider, domains, mainDomain, hasTags, says, example, sources } of MAILBOX_RULES) {
    const [typed, normalized] = example;

    it(`of ${provider}: ${typed} → ${normalized}`, () => {
      assert.equal(normalize(typed), normalized);
      for (const domain of domains) {
        const expected = `ann@${mainDomain ?? domain}`;
        assert.equal(normalize(`Ann@${domain}`), expected);
        assert.equal(normalize(`ann+x@${domain}`), hasTags ? expected : `ann+x@${domain}`);
      }
    });

    it(`of ${provider} are in docs/reference/email.md`, () => {
      const links = sources.map((url, at) => `[${at + 1}](${url})`).join(' ');
      const row = `| ${provider} | ${says} | \`${typed}\` → \`${normalized}\` | ${links} |`;
      assert.ok(docs.includes(`\n${row}\n`), `docs/reference/email.md needs this row:\n${row}`);
    });
  }

  it('name each domain once', () => {
    const domains = MAILBOX_RULES.flatMap((rule) => rule.domains);
    assert.equal(new Set(domains).size, domains.length);
  });
});

describe('splitLocalPart', () => {
  for (const [text, user, tag] of [
    ['Ann+News@example.org', 'Ann', 'News'],
    ['a+b+c@example.org', 'a', 'b+c'],
    ['a+@example.org', 'a', ''],
    ['+a@example.org', '+a', null],
    ['"a b+c"@example.org', 'a b', 'c'],
    ['ann-shop@yahoo.com', 'ann-shop', null],
    ['用户@example.org', '用户', null],
  ] as const)
    it(`${text}: ${user}, ${tag}`, () => assert.deepEqual(splitLocalPart(parse(text)), { user, tag }));
});

const { roles } = loadDomainLists();

const ROLES = {
  'listed names, in any case': ['info', 'Postmaster', 'no-reply', 'customerservice', 'CUSTOMER-SERVICE'],
  'names with other separators': [
    'no_reply',
    'do_not_reply',
    'customer_service',
    'customer.service',
    'tech_support',
    'human_resources',
    'data_protection',
    'vie_privee',
    'recursos_humanos',
  ],
  'several roles': ['sales_support', 'info.sales', 'hr-it', 'marketing_team'],
  'other languages': [
    'kundenservice',
    'rechnung',
    'accueil',
    'facturation',
    'ventes',
    'ayuda',
    'atencionalcliente',
    'pedidos',
    'suporte',
    'assistenza',
    'ufficio',
    'klantenservice',
    'biuro',
    'zamowienia',
    'objednavky',
    'kundtjanst',
    'asiakaspalvelu',
    'ugyfelszolgalat',
    'vanzari',
    'iletisim',
    'zakaz',
    'layanan',
    'otoiawase',
    'kefu',
    'tuyendung',
  ],
};
const PEOPLE = [
  'ann',
  'ann.smith',
  'ann_smith',
  'a.r',
  'a_p',
  'c.e.o',
  'h.r',
  'sales.smith',
  '_info',
  'info_',
  'in_fo',
  '_',
  '',
  'infox',
];

describe('a role', () => {
  for (const [says, names] of Object.entries(ROLES))
    it(`includes ${says}`, () => {
      assert.deepEqual(
        names.filter((name) => !isRole(name, roles)),
        [],
      );
    });

  it('is not a person', () => {
    assert.deepEqual(
      PEOPLE.filter((name) => isRole(name, roles)),
      [],
    );
  });
});

/** Addresses with their registrable domains. */
const PLACEHOLDERS: Record<string, string[]> = {
  'a word for no address, at any domain': [
    'noemail@acme.com',
    'No-Email2@gmail.com',
    'none@acme.co.uk',
    'n/a',
    'none',
  ],
  'the keys of a row, at any domain': [
    'asdf@asdf.com',
    'qwerty@acme.com',
    'asdfasdf@gmail.com',
    'qweqwe@a.io',
  ],
  'a word of examples at a domain of its own name': [
    'test@test.com',
    'abc@abc.com',
    'a@a.com',
    'xxx@xxx.com',
  ],
  'a word of examples at a domain of another': ['foo@bar.com', 'test1@example.co.uk', 'user@domain.com'],
  'the start of a web address': ['www.ann@gmail.com', 'http://www.ann@gmail.com'],
};
const REAL = [
  'ann@test.com',
  'test@company.com',
  'test@acme.com',
  'abc@gmail.com',
  'a@x.com',
  'k1@k1.io',
  'ibm@ibm.com',
  'info@info.com',
  'mail@mail.com',
  'me@me.com',
  'p.noone@gmail.com',
  'nunone@gmail.com',
  'wert@gmail.com',
  'azer@acme.az',
  'Azer1990@gmail.com',
  'asdfor@gmail.com',
  '12345@qq.com',
  'www@acme.com',
  'wwwann@gmail.com',
  'ann.www@gmail.com',
];

describe('a placeholder', () => {
  const findOwner = (text: string): string => text.slice(text.lastIndexOf('@') + 1);
  for (const [says, texts] of Object.entries(PLACEHOLDERS))
    it(`is ${says}`, () => {
      assert.deepEqual(
        texts.filter((text) => !isPlaceholder(text, findOwner(text))),
        [],
      );
    });

  it('is no address that a person or a company has', () => {
    assert.deepEqual(
      REAL.filter((text) => isPlaceholder(text, findOwner(text))),
      [],
    );
  });
});
