import { readFileSync } from 'node:fs';
import { type DomainLists, loadDomainLists, type MailFacts } from '../../src/email/index.ts';
import { parseAddress } from '../../src/email/address/parse-address.ts';
import { buildDomainProfile } from '../../src/email/email-cache.ts';
import { computeMailVerdict } from '../../src/email/domain/mail-verdict.ts';
import { suggestAddress, suggestRepair } from '../../src/email/suggest/suggest-address.ts';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';
import { suggestForDomain } from '../../src/email/suggest/suggest-domain.ts';
import { buildSuggestionIndex } from '../../src/email/suggest/suggestion-index.ts';
import type { Thresholds } from '../../src/email/suggest/thresholds.ts';
import { loadCases, type SuggestionCase } from './load-cases.ts';

/** The result of all cases. A false suggestion is another one than was meant, or one for a real domain. */
export interface Score {
  correct: number;
  wrong: number;
  missed: number;
}

/** A false suggestion outweighs so many correct ones. */
const FALSE_WEIGHT = 20;
const DATA = new URL('../../src/email/data/', import.meta.url);
const NOT_FOUND: MailFacts = { outcome: 'none', reason: 'nxdomain' };

/** Computes the objective that the thresholds maximize. */
export function computeObjective({ correct, wrong }: Score): number {
  return correct - FALSE_WEIGHT * wrong;
}

/** Loads the lists and cases once, and returns a function that scores thresholds on them. */
export function openScorer(): (thresholds: Thresholds) => Score {
  const bundled = loadDomainLists();
  const providers = loadList('providers.txt');
  const typos = loadList('typos.txt');
  const { domains, boundaryDomains, addresses } = loadCases();
  // A domain whose top-level domain does not exist has no MX records.
  const registrableDomains = domains.filter(({ typed }) => getDomainFacts(typed).hasKnownTld);
  return (thresholds) => {
    const suggestions = buildSuggestionIndex(providers, typos, bundled.suggestions, thresholds);
    const lists: DomainLists = { ...bundled, suggestions };
    const score: Score = { correct: 0, wrong: 0, missed: 0 };
    for (const refusesMail of [false, true]) {
      for (const { typed, meant } of domains) {
        addResult(score, suggestForDomain(typed, lists, refusesMail)?.domain ?? null, meant);
      }
      for (const item of addresses) addResult(score, suggest(item, lists, refusesMail), item.meant);
    }
    for (const { typed, meant } of registrableDomains) {
      addResult(score, suggestOverMail(typed, lists), meant);
    }
    const listsWithoutFree = { ...lists, free: new Set<string>() };
    for (const { typed, meant, acceptsMail } of boundaryDomains) {
      const suggestIt = acceptsMail ? suggestOverMail : suggestWithoutDns;
      addResult(score, suggestIt(typed, listsWithoutFree), meant);
    }
    return score;
  };
}

/** Returns the suggestion for a domain about which DNS says nothing. */
export function suggestWithoutDns(domain: string, lists: DomainLists): string | null {
  return suggestForDomain(domain, lists, false)?.domain ?? null;
}

/** Returns the suggestion for a domain that accepts mail. */
export function suggestOverMail(domain: string, lists: DomainLists): string | null {
  const found = suggestForDomain(domain, lists, false);
  return found?.overridesMail === true ? found.domain : null;
}

/** Returns the suggestion for an address whose domain does not exist, or is not looked up. */
function suggest({ typed }: SuggestionCase, lists: DomainLists, checkMx: boolean): string | null {
  const address = parseAddress(typed);
  if (typeof address === 'string') return suggestRepair(typed, lists)?.address ?? null;
  if (address.domain === null) return null;
  const profile = buildDomainProfile(address.domain, lists);
  if (profile.grade === 'disposable') return null;
  // As in the service, no query is sent for a domain that cannot exist.
  const { hasKnownTld, isSpecialUse } = profile.facts;
  const isChecked = checkMx && hasKnownTld && !isSpecialUse;
  const verdict = computeMailVerdict(isChecked ? NOT_FOUND : { outcome: 'unknown', reason: 'timeout' });
  const suggestion = profile.getSuggestion(verdict.refuses);
  return suggestAddress(typed, suggestion, verdict, lists)?.address ?? null;
}

function addResult(score: Score, got: string | null, meant: string | null): void {
  if (got === null) {
    if (meant !== null) score.missed++;
  } else if (got === meant) score.correct++;
  else score.wrong++;
}

function loadList(name: string): string[] {
  const lines = readFileSync(new URL(name, DATA), 'utf8').trim().split('\n');
  return lines.filter((line) => !line.startsWith('#'));
}
