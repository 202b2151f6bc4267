import { LRUCache } from 'lru-cache';
import type { EmailDetails } from './email-report.ts';
import { type DomainFacts, getDomainFacts, listOwnerDomains } from './domain/domain-facts.ts';
import { type DomainGrade, gradeDomain, isNeverDisposable, listEvidence } from './lists/disposable-domain.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import {
  type HostTraits,
  computeHostTraits,
  isClosedProvider,
  isRelayDomain,
} from './verdict/host-traits.ts';
import { type DomainSuggestion, suggestForDomain } from './suggest/suggest-domain.ts';
import { type MailVerdict, computeMailVerdict } from './domain/mail-verdict.ts';
import type { MailExchange, MailFacts } from './lookup-mail.ts';

/** The facts about a domain (A-labels, lower case) that need no DNS. */
export interface DomainProfile {
  facts: DomainFacts;
  grade: DomainGrade;
  /** True if its mail hosts cannot make it disposable. */
  isNeverDisposable(): boolean;
  /** Returns what the lists say about it. Computed on the first call. */
  listEvidence(): EmailDetails['disposableEvidence'];
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
  let evidence: EmailDetails['disposableEvidence'] | null = null;
  const suggestions: (DomainSuggestion | null | undefined)[] = [undefined, undefined];
  return {
    facts,
    grade: gradeDomain(domain, facts, lists),
    isNeverDisposable: () => isNeverDisposable(domain, facts, lists),
    listEvidence() {
      evidence ??= listEvidence(domain, lists, facts).map(({ source, says, date }) => {
        return { source, says, date };
      });
      return evidence;
    },
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

/** A few megabytes, enough for the domains of a busy day. */
const MAX_PROFILES = 8192;

/**
 * Caches the profiles of domains and the verdicts on their mail, because a few domains make up most
 * addresses. All validations with one instance have the same lists.
 */
export class EmailCache {
  readonly #profiles = new LRUCache<string, DomainProfile>({ max: MAX_PROFILES });
  /** A cached lookup returns the same facts object, so its verdict is computed once. */
  readonly #verdicts = new WeakMap<MailFacts, MailVerdict>();
  /** The same facts have the same list of exchanges. */
  readonly #traits = new WeakMap<readonly MailExchange[], HostTraits>();
  /** Profiles that were found, and that were built. */
  hits = 0;
  misses = 0;
  #disposable: DomainLists['disposable'] | null = null;
  #suspected: DomainLists['suspected'] | null = null;
  #operator: DomainLists['operator'] | null = null;

  /** Returns the profile of a domain (A-labels, lower case). A change of `lists` discards all profiles. */
  getProfile(domain: string, lists: DomainLists): DomainProfile {
    const { disposable, suspected, operator } = lists;
    if (this.#disposable !== disposable || this.#suspected !== suspected || this.#operator !== operator) {
      this.#disposable = disposable;
      this.#suspected = suspected;
      this.#operator = operator;
      this.#profiles.clear();
    }
    let profile = this.#profiles.get(domain);
    if (profile !== undefined) this.hits += 1;
    else {
      this.misses += 1;
      profile = buildDomainProfile(domain, lists);
      this.#profiles.set(domain, profile);
    }
    return profile;
  }

  /** Returns the verdict on the facts of a lookup. */
  getVerdict(facts: MailFacts): MailVerdict {
    let verdict = this.#verdicts.get(facts);
    if (verdict === undefined) {
      verdict = computeMailVerdict(facts);
      this.#verdicts.set(facts, verdict);
    }
    return verdict;
  }

  /** Returns the traits of the mail hosts of a verdict. */
  getHostTraits(exchanges: readonly MailExchange[]): HostTraits {
    let traits = this.#traits.get(exchanges);
    if (traits === undefined) {
      traits = computeHostTraits(exchanges);
      this.#traits.set(exchanges, traits);
    }
    return traits;
  }
}
