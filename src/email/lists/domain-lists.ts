import { readFileSync } from 'node:fs';
import { buildSuggestionIndex, type SuggestionIndex } from '../suggest/suggestion-index.ts';

/**
 * The lists that a domain is looked up in, all A-labels in lower case. A refresh replaces `disposable` as a whole,
 * so that a look-up sees either the old list or the new one.
 */
export interface DomainLists {
  disposable: ReadonlySet<string>;
  /** Relay and alias services and the families of ordinary providers: never disposable, whatever a list says. */
  readonly neverDisposable: ReadonlySet<string>;
  /** Parents of mail exchangers that serve disposable domains only. */
  readonly disposableMailHosts: ReadonlySet<string>;
  readonly free: ReadonlySet<string>;
  /** Local parts that name a function, not a person (RFC 2142 and common use). */
  readonly roles: ReadonlySet<string>;
  readonly suggestions: SuggestionIndex;
}

const DATA = new URL('../data/', import.meta.url);

/** Loads the bundled lists, a few milliseconds; `scripts/update-domain-lists.ts` rebuilds them. */
export function loadDomainLists(): DomainLists {
  return {
    disposable: readList('disposable.txt'),
    neverDisposable: readList('never-disposable.txt'),
    disposableMailHosts: readList('disposable-mail-hosts.txt'),
    free: readList('free.txt'),
    roles: readList('roles.txt'),
    suggestions: buildSuggestionIndex(
      readList('providers.txt'),
      readList('typos.txt'),
      readList('neighbours.txt'),
    ),
  };
}

/** One entry a line, after a header of `#` lines. */
function readList(name: string): Set<string> {
  const text = readFileSync(new URL(name, DATA), 'latin1');
  let start = 0;
  while (text.charCodeAt(start) === 0x23) start = text.indexOf('\n', start) + 1;
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  return new Set(text.slice(start, end).split('\n'));
}
