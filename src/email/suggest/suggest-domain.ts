import { getDomainFacts } from '../domain/domain-facts.ts';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { findProvider, type ProviderMatch } from './find-provider.ts';
import { getPopularityBonus } from './provider-families.ts';
import { repairSecondLevel, repairTopLevel } from './repair-top-level.ts';
import { listLookalikes, repairUnicodeTopLevel, showInUnicode } from './repair-unicode.ts';
import { computeConfidence, CONFIDENCE, MISSING_DOT_COST, MISSING_SUFFIX_COST } from './rules.ts';
import type { TypedSuffix } from './find-suffix.ts';
import { getBareName } from './suggestion-index.ts';
import type { Thresholds } from './thresholds.ts';

/** A domain that was probably meant. */
export interface DomainSuggestion {
  domain: string;
  /** 0 to 1. */
  confidence: number;
  /**
   * It is suggested even if the typed domain accepts mail: those who register misspellings of providers
   * publish MX records.
   */
  overridesMail: boolean;
}

const MAX_DOMAIN_LENGTH = 40;
/** Countries whose domains were deleted from the root zone: `webmail.co.yu` was no typo once. */
const RETIRED_COUNTRY = /(?:^|\.)(?:an|cs|dd|tp|yu|zr)$/;
/** Institutions assign these addresses, so a provider is hardly meant. */
const CLOSED = /(?:^|\.)(?:edu|gov|mil|ac|gob|gouv|gc|int)(?:\.[a-z]{2})?$/;

/**
 * Returns true for a provider's domain, for one that is known to serve mail, and for a real one near a
 * provider's. If DNS proves that the domain `refusesMail`, the last is no reason not to correct it.
 */
export function isKnownDomain(domain: string, lists: DomainLists, refusesMail = false): boolean {
  const { suggestions } = lists;
  return (
    suggestions.domains.has(domain) ||
    suggestions.mailDomains.has(domain) ||
    (suggestions.neighbors.has(domain) && !refusesMail) ||
    (lists.free.has(domain) && !suggestions.typos.has(domain))
  );
}

/**
 * Suggests the domain that was probably meant by `domain` (ASCII, lower case, possibly without a dot); null
 * without a better one. Of a domain that `refusesMail` by DNS, or cannot exist, more is corrected. The
 * suggestion can exist, is not disposable, and is not itself corrected.
 */
export function suggestDomain(
  domain: string,
  lists: DomainLists,
  refusesMail = false,
): DomainSuggestion | null {
  if (domain.length > MAX_DOMAIN_LENGTH || isKnownDomain(domain, lists, refusesMail)) return null;
  const { suggestions } = lists;
  const known = suggestions.typos.get(domain);
  if (known !== undefined) return suggestProvider(known, CONFIDENCE.knownTypo);
  const facts = getDomainFacts(domain);
  const dot = domain.indexOf('.');
  // A label without a dot may be a top-level domain too, such as .yahoo.
  if (facts.isSpecialUse || (facts.isPublicSuffix && dot !== -1) || CLOSED.test(domain)) return null;
  const bare = domain.startsWith('www.') ? domain.slice(4) : domain;
  const moved = findMovedDot(bare, facts.hasKnownTld, lists) ?? findRepeatedSuffix(bare, dot, lists);
  if (moved !== undefined) return suggestProvider(moved, CONFIDENCE.movedDot);
  if (dot <= 0) return dot === -1 ? suggestDotless(domain, lists) : null;
  const text = domain.slice(dot + 1);
  const hasRealTopLevel = facts.hasKnownTld || RETIRED_COUNTRY.test(text);
  const suffix = { text, isReal: text === facts.publicSuffix, hasRealTopLevel };
  const label = domain.slice(0, dot);
  const match = findProvider(suggestions, label, suffix, refusesMail);
  if (match !== null) return suggestMatch(match, 0, suggestions.thresholds);
  const { thresholds } = suggestions;
  // Others register under it: `acme.cim.br`, of an estate agent.
  if (suffix.isReal) return null;
  const repaired = hasRealTopLevel ? repairSecondLevel(domain) : repairDomainEnd(domain, thresholds);
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

/**
 * Finds the provider of a domain without its dot and with its suffix repeated: `yahoocom.com`,
 * `gmail-com.com`.
 */
function findRepeatedSuffix(domain: string, dot: number, { suggestions }: DomainLists): string | undefined {
  const meant = dot > 0 ? suggestions.undotted.get(getBareName(domain.slice(0, dot))) : undefined;
  return meant?.endsWith(domain.slice(dot)) ? meant : undefined;
}

/**
 * Suggests as `suggestDomain` does, for a domain in any script: `gmаil.com` with a Cyrillic а, `gmäil.com`
 * and their A-labels are corrected to the provider that they look like. The suggestion is in A-labels if the
 * domain is.
 */
export function suggestForDomain(
  domain: string,
  lists: DomainLists,
  refusesMail: boolean,
): DomainSuggestion | null {
  return suggestDomain(domain, lists, refusesMail) ?? suggestForUnicode(domain, lists);
}

function suggestForUnicode(domain: string, lists: DomainLists): DomainSuggestion | null {
  const shown = showInUnicode(domain);
  if (shown === null) return null;
  const provider = listLookalikes(shown).find((candidate) => lists.suggestions.domains.has(candidate));
  if (provider !== undefined) return suggestProvider(provider, CONFIDENCE.confusable);
  return acceptRepaired(repairUnicodeTopLevel(shown), lists);
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
    return suggestProvider(`${label}.${family.suffixes[0]}`, CONFIDENCE.missingSuffix);
  }
  const glued = GLUED_SUFFIX.exec(label);
  if (glued !== null) {
    const suffix = (glued[2] as string).replace(/^(co|com)(?=uk$|br$|au$)/, '$1.');
    const match = findProvider(suggestions, glued[1] as string, createRealSuffix(suffix), false);
    if (match !== null) return suggestMatch(match, MISSING_DOT_COST, suggestions.thresholds);
  }
  const match = findProvider(suggestions, label, createRealSuffix('com'), false);
  return match === null ? null : suggestMatch(match, MISSING_SUFFIX_COST, suggestions.thresholds);
}

function createRealSuffix(text: string): TypedSuffix {
  return { text, isReal: true, hasRealTopLevel: true };
}

function suggestMatch(
  { domain, cost, weight }: ProviderMatch,
  extraCost: number,
  thresholds: Thresholds,
): DomainSuggestion {
  const limit = getLimitOverMail(weight, thresholds);
  return { domain, confidence: computeConfidence(cost + extraCost), overridesMail: cost <= limit };
}

/** Returns the highest cost at which a domain that accepts mail is corrected to a provider of this weight. */
function getLimitOverMail(weight: number, thresholds: Thresholds): number {
  if (weight < thresholds.largeWeight) return thresholds.maxCostOverMail;
  return thresholds.maxCostOverMailOfLarge + getPopularityBonus(weight, thresholds);
}

function suggestProvider(domain: string, confidence: number): DomainSuggestion {
  return { domain, confidence, overridesMail: true };
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
  // As a domain without mail, because the suggestion must not be corrected whatever DNS says about it.
  const found = suggestForDomain(repaired, lists, true);
  if (found !== null || hasProviderLabel(repaired, lists)) return found;
  return { domain: repaired, confidence: CONFIDENCE.topLevel, overridesMail: false };
}

/** Returns true for a name that only a provider has, under a suffix that it does not have: `hotmail.edu`. */
function hasProviderLabel(domain: string, { suggestions }: DomainLists): boolean {
  if (suggestions.domains.has(domain)) return false;
  const families = suggestions.families.get(domain.slice(0, domain.indexOf('.')));
  return families?.some(({ isWord }) => !isWord) === true;
}
