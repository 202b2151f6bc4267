import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadCases } from '../../scripts/typo-rates/load-cases.ts';
import { loadDomainLists, type MailFacts, validateEmail } from '#email';

const lists = loadDomainLists();
const DNS_FACTS: Record<string, MailFacts> = {
  'the lookup fails': { outcome: 'unknown', reason: 'timeout' },
  'the domain does not exist': { outcome: 'none', reason: 'nxdomain' },
  'the domain accepts mail': { outcome: 'mx', exchanges: [{ exchange: 'mx.mail-host.com', priority: 10 }] },
};

/** Addresses with a suffix that only looks wrong: if the domain accepts mail, it is meant. */
const IN_USE = new Set(['ann@acme.com.com', 'ann@acme.con.au', 'ann@acme.con.br']);

async function suggest(email: string, facts: MailFacts): Promise<string | null> {
  const request = { email, checkMx: true, suggest: true, details: false };
  return (await validateEmail(request, { lists, lookupMail: async () => facts })).didYouMean;
}

function loadLines(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
}

function loadTypos(name: string): (readonly [typed: string, meant: string])[] {
  return loadLines(name).flatMap((line) => {
    const [meant = '', typed = ''] = line.split(': ');
    return typed.split(' ').map((domain) => [`ann@${domain}`, `ann@${meant}`] as const);
  });
}

const typos = loadTypos('cases/typos.txt');
const heldOut = loadTypos('held-out-typos.txt');
const realDomains = loadLines('cases/real-domains.txt').flatMap((line) => line.split(' '));
const addresses = loadLines('cases/addresses.txt').map((line) => {
  const [typed = '', meant = ''] = line.split(/ => ?(?=[^>]*$)/);
  return [typed, meant === '' ? null : meant] as const;
});

it('the typos held out are no cases', () => {
  const cases = new Set(loadCases().domains.map(({ typed }) => `ann@${typed}`));
  assert.deepEqual(
    heldOut.filter(([typed]) => cases.has(typed)),
    [],
  );
});

for (const [what, facts] of Object.entries(DNS_FACTS)) {
  describe(`if ${what}`, () => {
    it('98 % of mistyped providers are corrected, and none to another provider', async () => {
      assert.ok(typos.length > 1300);
      const missed: string[] = [];
      const wrong: string[] = [];
      for (const [typed, meant] of typos) {
        const got = await suggest(typed, facts);
        if (got === null) missed.push(typed);
        else if (got !== meant) wrong.push(`${typed} → ${got}`);
      }
      assert.deepEqual(wrong, []);
      assert.ok(missed.length <= 0.02 * typos.length, missed.join(' '));
    });

    it('92 % of typos that were held out before are corrected, and none to another provider', async () => {
      assert.ok(heldOut.length > 600);
      const missed: string[] = [];
      const wrong: string[] = [];
      for (const [typed, meant] of heldOut) {
        const got = await suggest(typed, facts);
        if (got === null) missed.push(typed);
        else if (got !== meant) wrong.push(`${typed} → ${got}`);
      }
      assert.deepEqual(wrong, []);
      assert.ok(missed.length <= 0.08 * heldOut.length, missed.join(' '));
    });

    it('no real domain is corrected', async () => {
      assert.ok(realDomains.length > 1500);
      const corrected: string[] = [];
      for (const domain of realDomains) {
        const got = await suggest(`ann@${domain}`, facts);
        if (got !== null) corrected.push(`${domain} → ${got}`);
      }
      assert.deepEqual(corrected, []);
    });

    it('a malformed address is repaired, and an ambiguous text is not', async () => {
      const wrong: string[] = [];
      for (const [typed, repaired] of addresses) {
        const meant = facts.outcome === 'mx' && IN_USE.has(typed) ? null : repaired;
        const got = await suggest(typed, facts);
        if (got !== meant) wrong.push(`${JSON.stringify(typed)} → ${got}, not ${meant}`);
      }
      assert.deepEqual(wrong, []);
    });
  });
}
