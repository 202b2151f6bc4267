import { type DomainFacts, findParent, listOwnerDomains } from '../domain/domain-facts.ts';
import type { MailExchange } from '../lookup-mail.ts';
import type { DomainLists, OperatorDomains } from './domain-lists.ts';

/**
 * True if a domain (A-labels, lower case) or a parent down to the registrable one is a relay or ordinary
 * provider, or if the operator allows it.
 */
export function isNeverDisposable(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  const rule = findOperatorRule(domain, lists.operator);
  if (rule !== null) return rule === 'allowed';
  return isProvider(listOwnerDomains(domain, facts), lists);
}

/**
 * True if a domain (A-labels, lower case) or a parent down to the registrable one is listed as disposable, or
 * if the operator blocks it.
 */
export function isDisposableDomain(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  const rule = findOperatorRule(domain, lists.operator);
  if (rule !== null) return rule === 'blocked';
  const owners = listOwnerDomains(domain, facts);
  // A fetched list may contain misspellings of providers. An address with one was meant for the provider.
  const isListed = (owner: string) => lists.disposable.has(owner) && !lists.suggestions.typos.has(owner);
  return owners.some(isListed) && !isProvider(owners, lists);
}

function isProvider(owners: readonly string[], lists: DomainLists): boolean {
  return owners.some((owner) => lists.neverDisposable.has(owner));
}

/**
 * Returns the operator's rule for a domain: its own rule, else the rule of the nearest parent that has one. A
 * name on both lists is allowed. Private public suffixes count, because the operator may mean all below them.
 */
function findOperatorRule(
  domain: string,
  { allowed, blocked }: OperatorDomains,
): 'allowed' | 'blocked' | null {
  const name = findParent(domain, (one) => allowed.has(one) || blocked.has(one));
  if (name === null) return null;
  return allowed.has(name) ? 'allowed' : 'blocked';
}

/** True if every mail exchange belongs to a host that serves only disposable domains. */
export function isDisposableMail(exchanges: readonly MailExchange[], lists: DomainLists): boolean {
  const { disposableMailHosts } = lists;
  const real = exchanges.filter(({ exchange }) => exchange !== '');
  const isDisposableHost = ({ exchange }: MailExchange): boolean =>
    findParent(exchange.toLowerCase(), (name) => disposableMailHosts.has(name)) !== null;
  return real.length > 0 && real.every(isDisposableHost);
}
