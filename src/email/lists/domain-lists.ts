import { readFileSync } from 'node:fs';
import { type SuggestionIndex, buildSuggestionIndex } from '../suggest/suggestion-index.ts';
import { decodeEvidence, describeFetched, type Evidence, isProven } from './evidence.ts';

/** A set of domains, as A-labels in lower case. */
export interface DomainSet {
  has(domain: string): boolean;
}

export const NO_DOMAINS: DomainSet = new Set<string>();

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * A set of domains as the bytes of a file with a line per domain, sorted by code unit: the domain, and after
 * a space the codes of its evidence (`evidence.ts`). It needs no index: the `Set` of 150,000 names would take
 * 10 MB and delay the start by some 100 ms, and a binary search takes about a microsecond
 * (`bench/email/list-cost.ts`).
 */
export class SortedDomains implements DomainSet, Iterable<string> {
  readonly #bytes: Buffer;
  #size: number | null = null;

  /** `bytes` are ASCII, with a line feed at the end of each line. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get size(): number {
    this.#size ??= countLines(this.#bytes);
    return this.#size;
  }

  has(domain: string): boolean {
    return this.#findNameEnd(domain) !== -1;
  }

  /** Returns the evidence about a domain; empty if it is not in the list. */
  listEvidence(domain: string): Evidence[] {
    const end = this.#findNameEnd(domain);
    if (end === -1) return [];
    return decodeEvidence(domain, this.#bytes.toString('latin1', end + 1, findLineEnd(this.#bytes, end)));
  }

  /** Returns where the name of a domain ends in the bytes; -1 if it is not in the list. */
  #findNameEnd(domain: string): number {
    const bytes = this.#bytes;
    let low = 0;
    let high = bytes.length;
    while (low < high) {
      let start = (low + high) >>> 1;
      while (start > 0 && bytes[start - 1] !== LINE_FEED) start--;
      const order = compareName(bytes, start, domain);
      if (order === 0) return start + domain.length;
      if (order > 0) high = start;
      else low = findLineEnd(bytes, start) + 1;
    }
    return -1;
  }

  *[Symbol.iterator](): Generator<string, void> {
    for (let start = 0; start < this.#bytes.length;) {
      const end = findLineEnd(this.#bytes, start);
      const space = this.#bytes.indexOf(SPACE, start);
      yield this.#bytes.toString('latin1', start, space === -1 ? end : Math.min(space, end));
      start = end + 1;
    }
  }
}

/** Counts line feeds. A loop: `reduce` takes ten times as long. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === LINE_FEED) count++;
  return count;
}

function findLineEnd(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== LINE_FEED) end++;
  return end;
}

/**
 * Compares the name at `start` with a domain: negative if it is less, 0 if it is equal. A space and a line
 * feed are less than any character of a domain.
 */
function compareName(bytes: Buffer, start: number, domain: string): number {
  for (let index = 0; index < domain.length; index++) {
    const difference = (bytes[start + index] ?? LINE_FEED) - domain.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return (bytes[start + domain.length] ?? LINE_FEED) <= SPACE ? 0 : 1;
}

/** The operator's own lists. They override all others. */
export interface OperatorDomains {
  /** Domains that are never disposable. */
  readonly allowed: DomainSet;
  /** Domains that are always disposable. */
  readonly blocked: DomainSet;
}

/**
 * The lists of domains, as A-labels in lower case. A change replaces members as a whole: a check sees either
 * the old list or the new one.
 */
export interface DomainLists {
  /** Domains that a reviewed list, or two origins, call disposable. */
  disposable: DomainSet;
  /** Domains that one unproven source calls disposable; `disposable` takes precedence. */
  suspected: DomainSet;
  /** Returns what the lists say about a domain itself. */
  listEvidence(this: void, domain: string): Evidence[];
  operator: OperatorDomains;
  /** Relay and alias services, ordinary providers, documented removals: they take precedence. */
  readonly neverDisposable: DomainSet;
  /** Parents of mail exchanges that serve only disposable domains. */
  readonly disposableMailHosts: ReadonlySet<string>;
  readonly free: ReadonlySet<string>;
  /** Local parts that name a function, not a person (RFC 2142 and common use), in lower case. */
  readonly roles: ReadonlySet<string>;
  readonly suggestions: SuggestionIndex;
}

type CountedSet = DomainSet & Iterable<string> & { readonly size: number };

/** The lists as the release has them. */
interface BundledLists extends DomainLists {
  disposable: CountedSet;
  suspected: CountedSet;
}

const DATA = new URL('../data/', import.meta.url);

/** Loads the bundled lists in a few milliseconds. `scripts/update-domain-lists.ts` rebuilds them. */
export function loadDomainLists(): BundledLists {
  const disposable = new SortedDomains(loadEntries('disposable.txt'));
  const suspected = new SortedDomains(loadEntries('suspected.txt'));
  const neverDisposable = new SortedDomains(loadEntries('never-disposable.txt'));
  const graded = [disposable, suspected, neverDisposable];
  return {
    operator: { allowed: NO_DOMAINS, blocked: NO_DOMAINS },
    disposable,
    suspected,
    neverDisposable,
    listEvidence: (domain) => graded.flatMap((list) => list.listEvidence(domain)),
    disposableMailHosts: loadList('disposable-mail-hosts.txt'),
    free: loadList('free.txt'),
    roles: loadList('roles.txt'),
    suggestions: buildSuggestionIndex(loadList('providers.txt'), loadList('typos.txt'), {
      mailDomains: loadList('mail-domains.txt'),
      neighbors: loadList('neighbors.txt'),
    }),
  };
}

/** The members that fetched lists change. */
type GradedLists = Pick<DomainLists, 'disposable' | 'suspected' | 'listEvidence'>;

/**
 * Adds fetched lists to the bundled ones, without a copy: a union of large lists would block the event loop
 * and double their memory.
 */
export function addFetchedLists(
  bundled: GradedLists,
  lists: readonly { url: string; names: ReadonlySet<string> }[],
): GradedLists {
  if (lists.length === 0) return bundled;
  const { disposable, suspected, listEvidence } = bundled;
  const described = lists.map(({ url, names }) => ({ names, evidence: describeFetched(url) }));
  const list = (name: string): Evidence[] =>
    described.filter(({ names }) => names.has(name)).map(({ evidence }) => ({ ...evidence, name }));
  const know = (domain: string): Evidence[] => (suspected.has(domain) ? listEvidence(domain) : []);
  return {
    disposable: { has: (domain) => disposable.has(domain) || isProven(list(domain), know(domain)) },
    suspected: { has: (domain) => suspected.has(domain) || list(domain).length > 0 },
    listEvidence: (domain) => [...listEvidence(domain), ...list(domain)],
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
