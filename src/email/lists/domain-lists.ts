import { readFileSync } from 'node:fs';
import { type SuggestionIndex, buildSuggestionIndex } from '../suggest/suggestion-index.ts';

/** A set of domains, as A-labels in lower case. */
interface DomainSet {
  has(domain: string): boolean;
}

export const NO_DOMAINS: DomainSet = new Set<string>();

/** Unites sets without a copy: a union of large lists would block the event loop and double their memory. */
export function uniteSets(sets: readonly DomainSet[]): DomainSet {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  return { has: (domain) => sets.some((set) => set.has(domain)) };
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * A set of domains as the bytes of a file with a domain per line, sorted by code unit. It needs no index: the
 * `Set` of 150,000 names would take 10 MB and delay the start by some 100 ms, and a binary search takes about
 * a microsecond (`bench/email/list-cost.ts`).
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
    const bytes = this.#bytes;
    let low = 0;
    let high = bytes.length;
    while (low < high) {
      let start = (low + high) >>> 1;
      while (start > 0 && bytes[start - 1] !== LINE_FEED) start--;
      const order = compareLine(bytes, start, domain);
      if (order === 0) return true;
      if (order > 0) high = start;
      else low = findLineEnd(bytes, start) + 1;
    }
    return false;
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
 * Compares the line at `start` with a domain: negative if it is less, 0 if it is equal. A line feed is less
 * than any character of a domain.
 */
function compareLine(bytes: Buffer, start: number, domain: string): number {
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
interface BundledLists extends DomainLists {
  disposable: DomainSet & Iterable<string> & { readonly size: number };
}

const DATA = new URL('../data/', import.meta.url);

/** Loads the bundled lists in a few milliseconds. `scripts/update-domain-lists.ts` rebuilds them. */
export function loadDomainLists(): BundledLists {
  return {
    operator: { allowed: NO_DOMAINS, blocked: NO_DOMAINS },
    disposable: new SortedDomains(loadEntries('disposable.txt')),
    neverDisposable: new Set(new SortedDomains(loadEntries('never-disposable.txt'))),
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
