import { LRUCache } from 'lru-cache';
import { buildDomainProfile, type DomainProfile } from './domain-profile.ts';
import { computeMailVerdict, type MailVerdict } from './domain/mail-verdict.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import type { MailExchange, MailFacts } from './lookup-mail.ts';
import { computeHostTraits, type HostTraits } from './verdict/host-traits.ts';

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
  #operator: DomainLists['operator'] | null = null;

  /** Returns the profile of a domain (A-labels, lower case). A change of `lists` discards all profiles. */
  getProfile(domain: string, lists: DomainLists): DomainProfile {
    if (this.#disposable !== lists.disposable || this.#operator !== lists.operator) {
      this.#disposable = lists.disposable;
      this.#operator = lists.operator;
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
