import { toUnicode } from 'tr46';
import { getDomainFacts } from '../domain/domain-facts.ts';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { findProvider, type ProviderMatch } from './find-provider.ts';
import { repairSecondLevel, repairTopLevel } from './repair-top-level.ts';
import { computeConfidence, CONFIDENCE, MISSING_DOT_COST, MISSING_SUFFIX_COST } from './rules.ts';
import { findSkeleton } from './skeleton.ts';
import { getBareName } from './suggestion-index.ts';
import type { Thresholds } from './thresholds.ts';

/** A domain that was probably meant. */
export interface DomainSuggestion {
  domain: string;
  /** 0 to 1. */
  confidence: number;
  /** The correction is known from statistics, so it is suggested even if the typed domain accepts mail. */
  isKnownTypo: boolean;
}

const MAX_DOMAIN_LENGTH = 40;
/** Institutions assign these addresses, so a provider is hardly meant. */
const CLOSED = /(?:^|\.)(?:edu|gov|mil|ac|gob|gouv|gc|int)(?:\.[a-z]{2})?$/;

/** Returns true for a provider's domain, and for a real one near it. */
export function isKnownDomain(domain: string, lists: DomainLists): boolean {
  const { suggestions } = lists;
  return (
    suggestions.domains.has(domain) ||
    suggestions.neighbors.has(domain) ||
    (lists.free.has(domain) && !suggestions.typos.has(domain))
  );
}

/**
 * Suggests the domain that was probably meant by `domain` (ASCII, lower case, possibly without a dot); null
 * without a better one. `slack` is added to the limits. The suggestion can exist, is not disposable, and is
 * not itself corrected.
 */
export function suggestDomain(domain: string, lists: DomainLists, slack = 0): DomainSuggestion | null {
  if (domain.length > MAX_DOMAIN_LENGTH || isKnownDomain(domain, lists)) return null;
  const { suggestions } = lists;
  const known = suggestions.typos.get(domain);
  if (known !== undefined) return { domain: known, confidence: CONFIDENCE.knownTypo, isKnownTypo: true };
  const facts = getDomainFacts(domain);
  const dot = domain.indexOf('.');
  // A label without a dot may be a top-level domain too, such as .yahoo.
  if (facts.isSpecialUse || (facts.isPublicSuffix && dot !== -1) || CLOSED.test(domain)) return null;
  const bare = domain.startsWith('www.') ? domain.slice(4) : domain;
  const moved = findMovedDot(bare, facts.hasKnownTld, lists) ?? findRepeatedSuffix(bare, dot, lists);
  if (moved !== undefined) return { domain: moved, confidence: CONFIDENCE.movedDot, isKnownTypo: false };
  if (dot <= 0) return dot === -1 ? suggestDotless(domain, lists) : null;
  const text = domain.slice(dot + 1);
  const suffix = { text, isReal: text === facts.publicSuffix };
  const match = findProvider(suggestions, domain.slice(0, dot), suffix, slack);
  if (match !== null) return suggestMatch(match);
  const { thresholds } = suggestions;
  const repaired = facts.hasKnownTld ? repairSecondLevel(domain) : repairDomainEnd(domain, thresholds);
  return acceptRepaired(repaired, lists);
}

/**
 * Finds the provider of a domain with a dot in the wrong place: `hotmailc.om`, `g.mail.com`. Shorter names
 * are accepted if the top-level domain does not exist.
 */
function findMovedDot(
  domain: string,
  hasKnownTld: boolean,
  { suggestions }: DomainLists,
): string | undefined {
  const name = getBareName(domain);
  return suggestions.undotted.get(name) ?? (hasKnownTld ? undefined : suggestions.dotless.get(name));
}

/** Finds the provider of a domain without its dot and with its suffix repeated: `yahoocom.com`. */
function findRepeatedSuffix(domain: string, dot: number, { suggestions }: DomainLists): string | undefined {
  const meant = dot > 0 ? suggestions.undotted.get(domain.slice(0, dot)) : undefined;
  return meant?.endsWith(domain.slice(dot)) ? meant : undefined;
}

/**
 * Suggests as `suggestDomain` does, for a domain in any script: `gmаil.com` with a Cyrillic а, `gmäil.com`
 * and their A-labels are corrected to the provider that they look like.
 */
export function suggestForDomain(domain: string, lists: DomainLists, slack: number): DomainSuggestion | null {
  return suggestDomain(domain, lists, slack) ?? suggestConfusable(domain, lists);
}

function suggestConfusable(domain: string, lists: DomainLists): DomainSuggestion | null {
  const shown = domain.includes('xn--') ? toUnicode(domain, { useSTD3ASCIIRules: true }).domain : domain;
  if (!/[^\0-\x7f]/.test(shown)) return null;
  const skeleton = findSkeleton(shown);
  if (skeleton === null || !lists.suggestions.domains.has(skeleton)) return null;
  return { domain: skeleton, confidence: CONFIDENCE.confusable, isKnownTypo: false };
}

const GLUED_SUFFIX = /^(.{3,}?)(com|net|couk|combr|comau|ru|de|fr|it)$/;

/**
 * Suggests the provider of a name without a dot: its label alone, or with the suffix attached; with a typo or
 * without.
 */
function suggestDotless(label: string, { suggestions }: DomainLists): DomainSuggestion | null {
  const { bareLabelLength, bareLabelWeight } = suggestions.thresholds;
  const families = suggestions.families.get(label);
  if (families !== undefined) {
    const [family] = families;
    if (family === undefined || families.length > 1 || label.length < bareLabelLength) return null;
    if (family.weight < bareLabelWeight || family.isWord) return null;
    const domain = `${label}.${family.suffixes[0]}`;
    return { domain, confidence: CONFIDENCE.missingSuffix, isKnownTypo: false };
  }
  const glued = GLUED_SUFFIX.exec(label);
  if (glued !== null) {
    const suffix = (glued[2] as string).replace(/^(co|com)(?=uk$|br$|au$)/, '$1.');
    const match = findProvider(suggestions, glued[1] as string, { text: suffix, isReal: true }, 0);
    if (match !== null) return suggestMatch(match, MISSING_DOT_COST);
  }
  const match = findProvider(suggestions, label, { text: 'com', isReal: true }, 0);
  return match === null ? null : suggestMatch(match, MISSING_SUFFIX_COST);
}

function suggestMatch({ domain, cost }: ProviderMatch, extraCost = 0): DomainSuggestion {
  return { domain, confidence: computeConfidence(cost + extraCost), isKnownTypo: false };
}

/** Corrects the top-level domain of a domain; null if none is clearly meant. */
function repairDomainEnd(domain: string, thresholds: Thresholds): string | null {
  const dot = domain.lastIndexOf('.');
  const before = domain.slice(0, dot);
  const labelBefore = before.slice(before.lastIndexOf('.') + 1);
  const end = repairTopLevel(domain.slice(dot + 1), labelBefore, thresholds.maxTopLevelCost);
  return end === null ? null : `${before}.${end}`;
}

/**
 * Accepts a domain with a repaired suffix if it can exist; corrects it further if it is near a provider's.
 */
function acceptRepaired(repaired: string | null, lists: DomainLists): DomainSuggestion | null {
  if (repaired === null) return null;
  const facts = getDomainFacts(repaired);
  if (!facts.hasKnownTld || facts.isSpecialUse || facts.registrable === null) return null;
  if (isDisposableDomain(repaired, facts, lists)) return null;
  // With the slack, because the suggestion must not be corrected whatever DNS says about it.
  return (
    suggestForDomain(repaired, lists, lists.suggestions.thresholds.noMailSlack) ?? {
      domain: repaired,
      confidence: CONFIDENCE.topLevel,
      isKnownTypo: false,
    }
  );
}
