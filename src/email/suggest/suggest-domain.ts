import { toUnicode } from 'tr46';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import { readDomainFacts } from '../domain/domain-facts.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { findProvider } from './find-provider.ts';
import { repairSecondLevel, repairTopLevel } from './repair-top-level.ts';
import { readSkeleton } from './skeleton.ts';
import { readBareName } from './suggestion-index.ts';

/** A domain that was probably meant, and how sure that is, 0 to 1. */
export interface DomainSuggestion {
  domain: string;
  confidence: number;
  /** A misspelling known from statistics: believed although mail is accepted there. */
  isKnownTypo: boolean;
}

/** How much looser the limits are for a domain that DNS says takes no mail, in hundredths of an edit. */
export const NO_MAIL_SLACK = 10;

const LOOKALIKE_CONFIDENCE = 0.95;
const MAX_DOMAIN_LENGTH = 40;
/** Who has an address there was given it, and knows it. */
const CLOSED = /(?:^|\.)(?:edu|gov|mil|ac|gob|gouv|gc|int)(?:\.[a-z]{2})?$/;

/** Whether a domain is known to be what somebody means: a provider's, or a real neighbour of one. */
export function isKnownDomain(domain: string, lists: DomainLists): boolean {
  const { suggestions } = lists;
  return (
    suggestions.domains.has(domain) ||
    suggestions.neighbours.has(domain) ||
    (lists.free.has(domain) && !suggestions.typos.has(domain))
  );
}

/**
 * The domain that was probably meant by `domain` (ASCII, lower case, perhaps without a dot); null where nothing is better.
 * A suggestion takes mail as far as the lists tell, and would not itself be corrected.
 */
export function suggestDomain(domain: string, lists: DomainLists, slack = 0): DomainSuggestion | null {
  if (domain.length > MAX_DOMAIN_LENGTH || isKnownDomain(domain, lists)) return null;
  const { suggestions } = lists;
  const known = suggestions.typos.get(domain);
  if (known !== undefined) return { domain: known, confidence: 0.99, isKnownTypo: true };
  const facts = readDomainFacts(domain);
  const dot = domain.indexOf('.');
  // Without a dot a label may be a top-level domain too: .yahoo is one.
  if (facts.isSpecialUse || (facts.isPublicSuffix && dot !== -1) || CLOSED.test(domain)) return null;
  const bare = domain.startsWith('www.') ? domain.slice(4) : domain;
  const moved = findMovedDot(bare, facts.hasKnownTld, lists) ?? findEndedTwice(bare, dot, lists);
  if (moved !== undefined) return { domain: moved, confidence: 0.97, isKnownTypo: false };
  if (dot <= 0) return dot === -1 ? suggestDotless(domain, lists) : null;
  const text = domain.slice(dot + 1);
  const suffix = { text, isReal: text === facts.publicSuffix };
  const match = findProvider(suggestions, domain.slice(0, dot), suffix, slack);
  if (match !== null)
    return { domain: match.domain, confidence: readConfidence(match.cost), isKnownTypo: false };
  return acceptRepaired(facts.hasKnownTld ? repairSecondLevel(domain) : repairEnd(domain), lists);
}

/** `hotmailc.om`, `g.mail.com`: a dot in the wrong place. A name whose end does not exist is nobody's, so that a short one is enough. */
function findMovedDot(
  domain: string,
  hasKnownTld: boolean,
  { suggestions }: DomainLists,
): string | undefined {
  const name = readBareName(domain);
  return suggestions.undotted.get(name) ?? (hasKnownTld ? undefined : suggestions.dotless.get(name));
}

/** `yahoocom.com`: a provider's domain without its dot, and its end once more. */
function findEndedTwice(domain: string, dot: number, { suggestions }: DomainLists): string | undefined {
  const meant = dot > 0 ? suggestions.undotted.get(domain.slice(0, dot)) : undefined;
  return meant?.endsWith(domain.slice(dot)) ? meant : undefined;
}

/** As `suggestDomain`, of a domain in any script: `gmаil.com` with a Cyrillic а, `gmäil.com` and their A-labels are what they look like. */
export function suggestForDomain(domain: string, lists: DomainLists, slack: number): DomainSuggestion | null {
  return suggestDomain(domain, lists, slack) ?? suggestLookalike(domain, lists);
}

function suggestLookalike(domain: string, lists: DomainLists): DomainSuggestion | null {
  const shown = domain.includes('xn--') ? toUnicode(domain, { useSTD3ASCIIRules: true }).domain : domain;
  if (!/[^\0-\x7f]/.test(shown)) return null;
  const skeleton = readSkeleton(shown);
  if (skeleton === null || !lists.suggestions.domains.has(skeleton)) return null;
  return { domain: skeleton, confidence: LOOKALIKE_CONFIDENCE, isKnownTypo: false };
}

/** A name without a dot: a provider's label alone, or one with its end glued on, mistyped besides perhaps. */
function suggestDotless(label: string, lists: DomainLists): DomainSuggestion | null {
  const exact = lists.suggestions.families.get(label);
  if (exact !== undefined) {
    const [family] = exact;
    if (family === undefined || exact.length > 1 || label.length < 3 || family.weight < 20 || family.isWord)
      return null;
    return { domain: `${label}.${family.suffixes[0]}`, confidence: 0.9, isKnownTypo: false };
  }
  const glued = /^(.{3,}?)(com|net|couk|combr|comau|ru|de|fr|it)$/.exec(label);
  if (glued !== null) {
    const end = (glued[2] as string).replace(/^(co|com)(?=uk$|br$|au$)/, '$1.');
    const match = findProvider(lists.suggestions, glued[1] as string, { text: end, isReal: true }, 0);
    if (match !== null)
      return { domain: match.domain, confidence: readConfidence(match.cost + 20), isKnownTypo: false };
  }
  const match = findProvider(lists.suggestions, label, { text: 'com', isReal: true }, 0);
  return match === null
    ? null
    : { domain: match.domain, confidence: readConfidence(match.cost + 30), isKnownTypo: false };
}

/** Any domain under a top-level domain that does not exist, with the one that was meant. */
function repairEnd(domain: string): string | null {
  const dot = domain.lastIndexOf('.');
  const before = domain.slice(0, dot);
  const end = repairTopLevel(domain.slice(dot + 1), before.slice(before.lastIndexOf('.') + 1));
  return end === null ? null : `${before}.${end}`;
}

/** Anybody's domain whose end was put right: what is suggested if it can exist, corrected further where it is near a provider's. */
function acceptRepaired(repaired: string | null, lists: DomainLists): DomainSuggestion | null {
  if (repaired === null) return null;
  const facts = readDomainFacts(repaired);
  if (!facts.hasKnownTld || facts.isSpecialUse || facts.registrable === null) return null;
  if (isDisposableDomain(repaired, facts, lists)) return null;
  // The loosest limits: a suggestion must stand however its own answer from DNS turns out.
  return (
    suggestForDomain(repaired, lists, NO_MAIL_SLACK) ?? {
      domain: repaired,
      confidence: 0.85,
      isKnownTypo: false,
    }
  );
}

function readConfidence(cost: number): number {
  return Math.round(Math.max(0.5, 0.98 - cost / 500) * 100) / 100;
}
