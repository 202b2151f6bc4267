import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadDomainLists, type MailFacts, validateEmail } from '#email';
import { countErrors, explain } from '../../scripts/typo-rates/count-errors.ts';
import { formatRates } from '../../scripts/typo-rates/format-rates.ts';
import { loadTypoPairs, type TypoPair } from '../../scripts/typo-rates/load-typo-pairs.ts';
import { LARGE_WEIGHT } from '../../src/email/suggest/find-provider.ts';
import rates from '../../src/email/suggest/typo-rates.json' with { type: 'json' };

const TABLE = new URL('../../src/email/suggest/typo-rates.json', import.meta.url);
const learned = [...loadTypoPairs('learned').values()].flat();
const unseen = loadTypoPairs('unseen');

describe('the rates of typing errors', () => {
  it('are the counts of the learned sources: if not, run npm run lists -- rates --write', () => {
    const text = readFileSync(TABLE, 'utf8');
    assert.equal(text, formatRates(countErrors(learned), rates.pairs));
  });

  it('come from over 400 typos, of which 1 % or less is not explained', () => {
    const { left } = countErrors(learned);
    assert.ok(learned.length > 400);
    assert.ok(left.length <= 0.01 * learned.length, JSON.stringify(left));
  });

  it('count what was typed by the fewest errors', () => {
    for (const [typed, meant, letters, others] of [
      ['gmial.com', 'gmail.com', ['swappedLetters'], []],
      ['gmail.con', 'gmail.com', ['adjacentKey'], []],
      ['gmal.con', 'gmail.com', ['missingVowel', 'adjacentKey'], []],
      ['hotmailc.om', 'hotmail.com', [], ['movedDot']],
      ['hotmailcom', 'hotmail.com', [], ['missingDot']],
      ['gmail.com.br', 'gmail.com', [], ['addedCountry']],
      ['hotmail.com.uk', 'hotmail.co.uk', [], ['otherSecondLevel']],
      ['1975yahoo.com', 'yahoo.com', [], ['digitsBefore']],
      ['gmale.com', 'gmail.com', [], ['byEar']],
    ] as const) {
      const found = explain({ typed, meant });
      assert.deepEqual(
        found?.letters.map(({ error }) => error),
        letters,
        typed,
      );
      assert.deepEqual(found?.others, others, typed);
    }
  });
});

const lists = loadDomainLists();
const DNS_MODES: Record<string, MailFacts> = {
  'DNS is silent': { outcome: 'unknown', reason: 'timeout' },
  'no domain exists': { outcome: 'none', reason: 'nxdomain' },
  'every domain accepts mail': { outcome: 'mx', exchanges: [{ exchange: 'mx.mail-host.com', priority: 10 }] },
};

function isLarge(domain: string): boolean {
  const dot = domain.indexOf('.');
  const families = lists.suggestions.families.get(domain.slice(0, dot)) ?? [];
  return families.some(
    ({ weight, suffixes }) => weight >= LARGE_WEIGHT && suffixes.includes(domain.slice(dot + 1)),
  );
}

async function scoreLarge(pairs: readonly TypoPair[], facts: MailFacts): Promise<number> {
  const { domains } = lists.suggestions;
  const large = pairs.filter(({ typed, meant }) => isLarge(meant) && !domains.has(typed));
  let right = 0;
  for (const { typed, meant } of large) {
    const request = { email: `ann@${typed}`, checkMx: true, suggest: true, details: false };
    const { didYouMean } = await validateEmail(request, { lists, lookupMail: async () => facts });
    if (didYouMean === `ann@${meant}`) right++;
  }
  return right / large.length;
}

describe('typos of sources that nothing is taken from', () => {
  it('are of three sources, none of which is counted', () => {
    assert.equal(unseen.size, 3);
    const script = readFileSync(new URL('../../scripts/learn-typo-rates.ts', import.meta.url), 'utf8');
    assert.equal(script.includes("loadTypoPairs('unseen')"), false);
    assert.ok(existsSync(TABLE));
  });

  for (const [what, facts] of Object.entries(DNS_MODES)) {
    it(`of large providers are corrected in 92 %, if ${what}`, async () => {
      const share = await scoreLarge([...unseen.values()].flat(), facts);
      assert.ok(share >= 0.92, share.toFixed(4));
    });
  }
});
