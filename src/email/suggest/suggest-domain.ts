import { getDomainFacts } from '../domain/domain-facts.ts';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { findProvider, type ProviderMatch } from './find-provider.ts';
import { repairSecondLevel, repairTopLevel } from './repair-top-level.ts';
import { listLookalikes, repairUnicodeTopLevel, showInUnicode } from './repair-unicode.ts';
import { CONFIDENCE } from './rules.ts';
import { createTypedSuffix } from './suffix-channel.ts';

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

/** The probability from which a domain is suggested. */
const SUGGEST_FROM = 0.6;
/** Nothing is certain. */
const MAX_CONFIDENCE = 0.98;
const MAX_DOMAIN_LENGTH = 40;
/** Labels up to this length are not protected by a real domain under `.com`. */
const MAX_UNPROTECTED_LENGTH = 3;
/** The least length and weight of a label that is a provider without its suffix: `gmail`. */
const MIN_BARE_LENGTH = 3;
const MIN_BARE_WEIGHT = 8;
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
  if (dot === -1) return suggestDotless(domain, lists);
  if (dot === 0) return null;
  const bare = domain.startsWith('www.') ? domain.slice(4) : domain;
  if (suggestions.domains.has(bare)) return suggestProvider(bare, CONFIDENCE.movedDot);
  const first = bare.indexOf('.');
  const label = bare.slice(0, first);
  // A label that is real under .com is not a typo under another suffix either.
  const isProtected = label.length > MAX_UNPROTECTED_LENGTH && !suggestions.families.has(label);
  if (isProtected && isRealUnderCom(label, lists, refusesMail)) return null;
  const text = bare.slice(first + 1);
  const hasRealTopLevel = facts.hasKnownTld || RETIRED_COUNTRY.test(text);
  const suffix = createTypedSuffix(text, text === facts.publicSuffix, hasRealTopLevel);
  const match = findProvider(suggestions, { label, suffix, refusesMail });
  // A domain that starts with a hyphen lacks its first letter, if nothing else is wrong.
  const isMeant = match !== null && (!label.startsWith('-') || match.domain.endsWith(domain));
  if (isMeant && match.probability >= SUGGEST_FROM) return suggestMatch(match);
  // Others register under it: `acme.cim.br`, of an estate agent.
  if (suffix.isReal) return null;
  return acceptRepaired(hasRealTopLevel ? repairSecondLevel(domain) : repairDomainEnd(domain), lists);
}

function isRealUnderCom(label: string, { suggestions }: DomainLists, refusesMail: boolean): boolean {
  const domain = `${label}.com`;
  return suggestions.mailDomains.has(domain) || (suggestions.neighbors.has(domain) && !refusesMail);
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
function suggestDotless(name: string, { suggestions }: DomainLists): DomainSuggestion | null {
  const families = suggestions.families.get(name);
  if (families !== undefined) {
    const [family] = families;
    if (family === undefined || families.length > 1 || name.length < MIN_BARE_LENGTH) return null;
    if (family.weight < MIN_BARE_WEIGHT || family.isWord) return null;
    return suggestProvider(`${name}.${family.suffixes[0]}`, CONFIDENCE.missingSuffix);
  }
  const exact = suggestions.bareNames.get(name);
  if (exact !== undefined) return suggestProvider(exact, CONFIDENCE.missingSuffix);
  const glued = GLUED_SUFFIX.exec(name);
  const ends = glued === null ? [] : [[glued[1] as string, glued[2] as string] as const];
  for (const [label, end] of [...ends, [name, 'com'] as const]) {
    const text = end.replace(/^(co|com)(?=uk$|br$|au$)/, '$1.');
    const match = findProvider(suggestions, {
      label,
      suffix: createTypedSuffix(text, true, true),
      refusesMail: true,
    });
    if (match !== null && match.probability >= SUGGEST_FROM) return suggestMatch(match);
  }
  return null;
}

function suggestMatch({ domain, probability, isWorthRegistering }: ProviderMatch): DomainSuggestion {
  const confidence = Math.min(MAX_CONFIDENCE, Math.round(100 * probability) / 100);
  return { domain, confidence, overridesMail: isWorthRegistering };
}

function suggestProvider(domain: string, confidence: number): DomainSuggestion {
  return { domain, confidence, overridesMail: true };
}

/** Corrects the top-level domain of a domain; null if none is clearly meant. */
function repairDomainEnd(domain: string): string | null {
  const dot = domain.lastIndexOf('.');
  const before = domain.slice(0, dot);
  const labelBefore = before.slice(before.lastIndexOf('.') + 1);
  const end = repairTopLevel(domain.slice(dot + 1), labelBefore);
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
