import { parseAddress } from '../address/parse-address.ts';
import { getDomainFacts } from '../domain/domain-facts.ts';
import type { MailVerdict } from '../domain/mail-verdict.ts';
import { isDisposableDomain } from '../lists/disposable-domain.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import { isParkedMail } from './parked-mail.ts';
import { repairAddress } from './repair-address.ts';
import { showInUnicode } from './repair-unicode.ts';
import { CONFIDENCE } from './rules.ts';
import { type DomainSuggestion, isKnownDomain, suggestForDomain } from './suggest-domain.ts';

export interface Suggestion {
  /** The corrected address. */
  address: string;
  /** 0 to 1. */
  confidence: number;
}

/**
 * Suggests a correction of a well-formed address, `text`, from the suggestion for its domain; null without
 * one. A domain that accepts mail is corrected only if a provider's was clearly meant, or if it is parked.
 */
export function suggestAddress(
  text: string,
  localPart: string,
  found: DomainSuggestion | null,
  verdict: MailVerdict,
): Suggestion | null {
  if (found === null) return null;
  const acceptsMail = verdict.status === 'found' && !verdict.refuses;
  if (acceptsMail && !found.overridesMail && !isParkedMail(verdict.exchanges)) return null;
  return { address: `${localPart}@${writeDomain(found.domain, text)}`, confidence: found.confidence };
}

/** Returns a domain in the form of the `text` that it corrects: A-labels only if that has them. */
function writeDomain(domain: string, text: string): string {
  if (!domain.includes('xn--')) return domain;
  const typed = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  return typed.includes('xn--') ? domain : (showInUnicode(domain) ?? domain);
}

/**
 * Suggests the address in a malformed text: unwrapped, with a repaired domain that may be corrected further.
 */
export function suggestRepair(text: string, lists: DomainLists): Suggestion | null {
  const repaired = repairAddress(text);
  if (repaired === null) return null;
  const { localPart, domains, isPlain } = repaired;
  // A domain that starts with a hyphen lacks its first letter, if a provider is near.
  const completed = domains[0]?.startsWith('-') ? suggestForDomain(domains[0], lists, true) : null;
  if (completed !== null) return accept(localPart, completed.domain, completed.confidence, text);
  const known = domains.find((domain) => isKnownDomain(domain, lists, true));
  if (known !== undefined) return acceptAsRepaired(localPart, known, text, lists);
  for (const domain of domains) {
    const found = suggestForDomain(domain, lists, true);
    if (found !== null) return accept(localPart, found.domain, found.confidence, text);
  }
  return isPlain && domains[0] !== undefined ? acceptAsRepaired(localPart, domains[0], text, lists) : null;
}

/** Accepts a repaired domain without further correction, if it can exist and is not disposable. */
function acceptAsRepaired(
  localPart: string,
  domain: string,
  text: string,
  lists: DomainLists,
): Suggestion | null {
  const address = parseAddress(`${localPart}@${domain}`);
  if (typeof address === 'string' || address.domain === null) return null;
  const facts = getDomainFacts(address.domain);
  if (!facts.hasKnownTld || facts.isSpecialUse || facts.registrable === null) return null;
  if (isDisposableDomain(address.domain, facts, lists)) return null;
  return accept(localPart, domain, CONFIDENCE.unwrapped, text);
}

function accept(localPart: string, domain: string, confidence: number, text: string): Suggestion | null {
  const address = `${localPart}@${writeDomain(domain, text)}`;
  return address === text || typeof parseAddress(address) === 'string' ? null : { address, confidence };
}
