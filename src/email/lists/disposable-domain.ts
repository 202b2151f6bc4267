import { type DomainFacts, listOwnerDomains } from '../domain/domain-facts.ts';
import type { MailExchange } from '../lookup-mail.ts';
import type { DomainLists } from './domain-lists.ts';

/**
 * True if a domain (A-labels, lower case) or a parent down to the registrable one is a relay or ordinary
 * provider.
 */
export function isNeverDisposable(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  return listOwnerDomains(domain, facts).some((owner) => lists.neverDisposable.has(owner));
}

/**
 * True if a domain (A-labels, lower case) or a parent down to the registrable one is listed as disposable.
 */
export function isDisposableDomain(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  // A fetched list may contain misspellings of providers. An address with one was meant for the provider.
  const isListed = (owner: string) => lists.disposable.has(owner) && !lists.suggestions.typos.has(owner);
  return listOwnerDomains(domain, facts).some(isListed) && !isNeverDisposable(domain, facts, lists);
}

/** True if every mail exchange belongs to a host that serves only disposable domains. */
export function isDisposableMail(exchanges: readonly MailExchange[], lists: DomainLists): boolean {
  const real = exchanges.filter(({ exchange }) => exchange !== '');
  return (
    real.length > 0 &&
    real.every(({ exchange }) => isUnder(exchange.toLowerCase(), lists.disposableMailHosts))
  );
}

function isUnder(host: string, parents: ReadonlySet<string>): boolean {
  for (let at = 0; ;) {
    if (parents.has(at === 0 ? host : host.slice(at))) return true;
    const dot = host.indexOf('.', at);
    if (dot === -1) return false;
    at = dot + 1;
  }
}
