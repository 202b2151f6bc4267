import { readFileSync } from 'node:fs';
import { type DomainSet, NO_DOMAINS } from './domain-set.ts';
import { SortedDomains } from './sorted-domains.ts';
import { buildSuggestionIndex, type SuggestionIndex } from '../suggest/suggestion-index.ts';

/** The operator's own lists. They override all others. */
export interface OperatorDomains {
  /** Domains that are never disposable. */
  readonly allowed: DomainSet;
  /** Domains that are always disposable. */
  readonly blocked: DomainSet;
}

/**
 * The lists of domains, as A-labels in lower case. A change replaces `disposable` or `operator` as a whole: a
 * check sees either the old list or the new one.
 */
export interface DomainLists {
  disposable: DomainSet;
  operator: OperatorDomains;
  /** Relay and alias services and ordinary providers. They take precedence over `disposable`. */
  readonly neverDisposable: ReadonlySet<string>;
  /** Parents of mail exchanges that serve only disposable domains. */
  readonly disposableMailHosts: ReadonlySet<string>;
  readonly free: ReadonlySet<string>;
  /** Local parts that name a function, not a person (RFC 2142 and common use), in lower case. */
  readonly roles: ReadonlySet<string>;
  readonly suggestions: SuggestionIndex;
}

/** The lists as the release has them. */
export interface BundledLists extends DomainLists {
  disposable: DomainSet & Iterable<string> & { readonly size: number };
}

const DATA = new URL('../data/', import.meta.url);

/** Loads the bundled lists in a few milliseconds. `scripts/update-domain-lists.ts` rebuilds them. */
export function loadDomainLists(): BundledLists {
  return {
    operator: { allowed: NO_DOMAINS, blocked: NO_DOMAINS },
    disposable: new SortedDomains(loadEntries('disposable.txt')),
    neverDisposable: loadList('never-disposable.txt'),
    disposableMailHosts: loadList('disposable-mail-hosts.txt'),
    free: loadList('free.txt'),
    roles: loadList('roles.txt'),
    suggestions: buildSuggestionIndex(loadList('providers.txt'), loadList('typos.txt'), {
      mailDomains: loadList('mail-domains.txt'),
      neighbors: loadList('neighbors.txt'),
    }),
  };
}

/** Loads a list of one entry per line. */
function loadList(name: string): Set<string> {
  return new Set(loadEntries(name).toString('utf8').trimEnd().split('\n'));
}

/** Loads the lines of a list after its header of `#` lines, as bytes. */
export function loadEntries(name: string): Buffer {
  const bytes = readFileSync(new URL(name, DATA));
  let start = 0;
  while (bytes[start] === 0x23) start = bytes.indexOf('\n', start) + 1;
  return bytes.subarray(start);
}
