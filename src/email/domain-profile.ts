import { isDisposableDomain, isNeverDisposable } from './lists/disposable-domain.ts';
import { type DomainFacts, listOwnerDomains, readDomainFacts } from './domain/domain-facts.ts';
import type { DomainLists } from './lists/domain-lists.ts';
import { type DomainSuggestion, NO_MAIL_SLACK, suggestForDomain } from './suggest/suggest-domain.ts';

/** All that is known of a domain (A-labels, lower case) without DNS. */
export interface DomainProfile {
  facts: DomainFacts;
  /** The domain or a parent that somebody registered is on the list of disposable providers. */
  isDisposable: boolean;
  /** It is a relay or an ordinary provider: never disposable, whoever serves its mail. */
  isNeverDisposable: boolean;
  isFree: boolean;
  /** What was meant by it, while nothing is known from DNS, and when DNS says that it takes no mail. Made when first asked for. */
  readSuggestion(takesNoMail: boolean): DomainSuggestion | null;
}

/** Enough for the domains of a busy day, a few megabytes; the oldest go first. */
const MAX_REMEMBERED = 8192;

interface Remembered {
  disposable: ReadonlySet<string>;
  profiles: Map<string, DomainProfile>;
}

const remembered = new WeakMap<DomainLists, Remembered>();

/** Reads a domain's profile from the lists. Remembers it until the lists change: a few domains make up most addresses. */
export function readDomainProfile(domain: string, lists: DomainLists): DomainProfile {
  let memory = remembered.get(lists);
  if (memory === undefined || memory.disposable !== lists.disposable) {
    memory = { disposable: lists.disposable, profiles: new Map() };
    remembered.set(lists, memory);
  }
  const { profiles } = memory;
  const known = profiles.get(domain);
  if (known !== undefined) return known;
  const profile = makeProfile(domain, lists);
  if (profiles.size >= MAX_REMEMBERED) profiles.delete(profiles.keys().next().value as string);
  profiles.set(domain, profile);
  return profile;
}

function makeProfile(domain: string, lists: DomainLists): DomainProfile {
  const facts = readDomainFacts(domain);
  const owners = listOwnerDomains(domain, facts);
  const suggestions: (DomainSuggestion | null | undefined)[] = [undefined, undefined];
  return {
    facts,
    isDisposable: isDisposableDomain(domain, facts, lists),
    isNeverDisposable: isNeverDisposable(domain, facts, lists),
    isFree: owners.some((owner) => lists.free.has(owner)),
    readSuggestion(takesNoMail) {
      const at = takesNoMail ? 1 : 0;
      let suggestion = suggestions[at];
      if (suggestion === undefined) {
        suggestion = suggestForDomain(domain, lists, takesNoMail ? NO_MAIL_SLACK : 0);
        suggestions[at] = suggestion;
      }
      return suggestion;
    },
  };
}
