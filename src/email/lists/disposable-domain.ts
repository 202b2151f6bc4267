import { type DomainFacts, findParent, getDomainFacts, listOwnerDomains } from '../domain/domain-facts.ts';
import type { MailExchange } from '../lookup-mail.ts';
import { isRelayDomain } from '../verdict/host-traits.ts';
import type { DomainLists, DomainSet, OperatorDomains } from './domain-lists.ts';
import type { Evidence } from './evidence.ts';

/**
 * The grade of a domain by the lists. `suspected`: one unproven source calls it disposable. `never`: sources
 * do, but it is a relay, a provider or a documented removal; or the operator allows it.
 */
export type DomainGrade = 'disposable' | 'suspected' | 'never' | 'unlisted';

/**
 * Grades a domain (A-labels, lower case) by the operator's rule, else by the lists that have it or a parent
 * down to the registrable one.
 */
export function gradeDomain(domain: string, facts: DomainFacts, lists: DomainLists): DomainGrade {
  const rule = findOperatorRule(domain, lists.operator);
  if (rule !== null) return rule.says === 'disposable' ? 'disposable' : 'never';
  const owners = listOwnerDomains(domain, facts);
  // A list may contain misspellings of providers. An address with one was meant for the provider.
  const isOn = (list: DomainSet): boolean =>
    owners.some((owner) => list.has(owner) && !lists.suggestions.typos.has(owner));
  const grade = isOn(lists.disposable) ? 'disposable' : isOn(lists.suspected) ? 'suspected' : 'unlisted';
  return grade !== 'unlisted' && isNeverDisposable(domain, facts, lists) ? 'never' : grade;
}

/** True if a domain or a parent is a relay, a provider or a documented removal, whatever other lists say. */
export function isNeverDisposable(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  const owners = listOwnerDomains(domain, facts);
  return isRelayDomain(domain) || owners.some((owner) => lists.neverDisposable.has(owner));
}

/** True if a domain is graded disposable: an address there is not suggested, and not corrected. */
export function isDisposableDomain(domain: string, facts: DomainFacts, lists: DomainLists): boolean {
  return gradeDomain(domain, facts, lists) === 'disposable';
}

/** Lists what is known for and against a domain and its parents: the operator's rule, then the lists. */
export function listEvidence(domain: string, lists: DomainLists, facts = getDomainFacts(domain)): Evidence[] {
  const rule = findOperatorRule(domain, lists.operator);
  const found = listOwnerDomains(domain, facts).flatMap((name) => lists.listEvidence(name));
  return rule === null ? found : [rule, ...found];
}

/**
 * Returns the operator's rule for a domain as evidence: its own rule, else the rule of the nearest parent
 * with one. A name on both lists is allowed. Private public suffixes count, because the operator may mean all
 * below them.
 */
function findOperatorRule(domain: string, { allowed, blocked }: OperatorDomains): Evidence | null {
  const name = findParent(domain, (one) => allowed.has(one) || blocked.has(one));
  if (name === null) return null;
  const says = allowed.has(name) ? 'not_disposable' : 'disposable';
  return { name, source: 'operator', title: 'on a list of the operator', url: null, says, date: null };
}

/** True if every mail exchange belongs to a host that serves only disposable domains. */
export function isDisposableMail(exchanges: readonly MailExchange[], lists: DomainLists): boolean {
  const { disposableMailHosts } = lists;
  const real = exchanges.filter(({ exchange }) => exchange !== '');
  const isDisposableHost = ({ exchange }: MailExchange): boolean =>
    findParent(exchange.toLowerCase(), (name) => disposableMailHosts.has(name)) !== null;
  return real.length > 0 && real.every(isDisposableHost);
}
