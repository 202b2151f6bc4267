import { type DomainFacts, listOwnerDomains } from './domain-facts.ts';
import type { DomainLists } from './domain-lists.ts';

/** Whether a domain (A-labels, lower case) or a parent that somebody registered is a relay's or an ordinary provider's: never disposable. */
export function isNeverDisposable(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  return listOwnerDomains(domain, facts).some((owner) => lists.neverDisposable.has(owner));
}

/** Whether a domain (A-labels, lower case) or a parent that somebody registered is on the list of disposable providers. */
export function isDisposableDomain(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  // A fetched list may hold misspellings of providers: whoever types one meant the provider.
  const isListed = (owner: string) => lists.disposable.has(owner) && !lists.suggestions.typos.has(owner);
  return listOwnerDomains(domain, facts).some(isListed) && !isNeverDisposable(domain, facts, lists);
}
