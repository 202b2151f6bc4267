import { type DomainFacts, listOwnerDomains } from '../domain/domain-facts.ts';
import type { MailExchange } from '../lookup-mail.ts';
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

/** Whether every exchange that serves the domain belongs to a host of disposable mail only. */
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
