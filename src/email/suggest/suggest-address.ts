import { isDisposableDomain } from '../lists/disposable-domain.ts';
import { readDomainFacts } from '../domain/domain-facts.ts';
import type { DomainLists } from '../lists/domain-lists.ts';
import type { MailVerdict } from '../domain/mail-verdict.ts';
import { parseAddress } from '../address/parse-address.ts';
import { isParkedMail } from './parked-mail.ts';
import { repairAddress } from './repair-address.ts';
import { type DomainSuggestion, isKnownDomain, NO_MAIL_SLACK, suggestForDomain } from './suggest-domain.ts';

/** A corrected address and how sure the correction is, 0 to 1. */
export interface Suggestion {
  address: string;
  confidence: number;
}

const REPAIR_CONFIDENCE = 0.9;

/**
 * Suggests what was meant by a well-formed address; null where nothing is better. DNS is a witness: a domain that takes mail
 * is corrected only where it is a known misspelling or a parked one, and one that takes none is believed to be mistyped more easily.
 */
export function suggestAddress(
  localPart: string,
  found: DomainSuggestion | null,
  verdict: MailVerdict,
): Suggestion | null {
  if (found === null) return null;
  const takesMail = verdict.status === 'found' && !verdict.refuses;
  if (takesMail && !found.isKnownTypo && !isParkedMail(verdict.exchanges)) return null;
  return { address: `${localPart}@${found.domain}`, confidence: found.confidence };
}

/** Suggests the address that is in a text which is none: unwrapped, its domain put right and then corrected. */
export function suggestRepair(text: string, lists: DomainLists): Suggestion | null {
  const repaired = repairAddress(text);
  if (repaired === null) return null;
  const { localPart, domains, isPlain } = repaired;
  const shortened = domains[0]?.startsWith('-') ? suggestForDomain(domains[0], lists, NO_MAIL_SLACK) : null;
  if (shortened !== null) return accept(localPart, shortened.domain, shortened.confidence, text);
  const known = domains.find((domain) => isKnownDomain(domain, lists));
  if (known !== undefined) return acceptAsRepaired(localPart, known, text, lists);
  for (const domain of domains) {
    const found = suggestForDomain(domain, lists, NO_MAIL_SLACK);
    if (found !== null) return accept(localPart, found.domain, found.confidence, text);
  }
  return isPlain && domains[0] !== undefined ? acceptAsRepaired(localPart, domains[0], text, lists) : null;
}

/** A domain that is known, or that nobody corrects further, stands as repaired if it can exist and is not disposable. */
function acceptAsRepaired(
  localPart: string,
  domain: string,
  text: string,
  lists: DomainLists,
): Suggestion | null {
  const address = parseAddress(`${localPart}@${domain}`);
  if (typeof address === 'string' || address.domain === null) return null;
  const facts = readDomainFacts(address.domain);
  if (!facts.hasKnownTld || facts.isSpecialUse || facts.registrable === null) return null;
  if (isDisposableDomain(address.domain, facts, lists)) return null;
  return accept(localPart, domain, REPAIR_CONFIDENCE, text);
}

function accept(localPart: string, domain: string, confidence: number, text: string): Suggestion | null {
  const address = `${localPart}@${domain}`;
  return address === text || typeof parseAddress(address) === 'string' ? null : { address, confidence };
}
