import { type DomainFacts, getDomainFacts, listOwnerDomains } from './domain/domain-facts.ts';
import { isDisposableDomain, isNeverDisposable } from './lists/disposable-domain.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import { isClosedProvider } from './verdict/closed-providers.ts';
import { isRelayDomain } from './verdict/relay-domains.ts';
import { type DomainSuggestion, suggestForDomain } from './suggest/suggest-domain.ts';

/** The facts about a domain (A-labels, lower case) that need no DNS. */
export interface DomainProfile {
  facts: DomainFacts;
  /** The domain, or a parent down to the registrable one, is on the list of disposable providers. */
  isDisposable: boolean;
  /** The domain belongs to a relay or an ordinary provider: its mail hosts cannot make it disposable. */
  isNeverDisposable: boolean;
  isFree: boolean;
  /** The domain belonged to a provider that has closed its mailboxes. */
  isClosed: boolean;
  /** The domain belongs to a relay or alias service. */
  isRelay: boolean;
  /** Returns the suggestion for the domain. Computed on the first call for each value of `refusesMail`. */
  getSuggestion(refusesMail: boolean): DomainSuggestion | null;
}

/** Builds the profile of a domain. */
export function buildDomainProfile(domain: string, lists: DomainLists): DomainProfile {
  const facts = getDomainFacts(domain);
  const owners = listOwnerDomains(domain, facts);
  const suggestions: (DomainSuggestion | null | undefined)[] = [undefined, undefined];
  return {
    facts,
    isDisposable: isDisposableDomain(domain, facts, lists),
    isNeverDisposable: isNeverDisposable(domain, facts, lists),
    isFree: owners.some((owner) => lists.free.has(owner)),
    isClosed: isClosedProvider(owners),
    isRelay: isRelayDomain(domain),
    getSuggestion(refusesMail) {
      const at = refusesMail ? 1 : 0;
      let suggestion = suggestions[at];
      if (suggestion === undefined) {
        suggestion = suggestForDomain(domain, lists, refusesMail);
        suggestions[at] = suggestion;
      }
      return suggestion;
    },
  };
}
