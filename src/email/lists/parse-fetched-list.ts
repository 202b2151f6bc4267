import { getDomainFacts } from '../domain/domain-facts.ts';
import type { DomainLists } from './domain-lists.ts';

/** The fetch fails beyond this size. The largest public list has a quarter of it. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MIN_ENTRIES = 1000;
/** A list that grows or shrinks by a larger share is a mistake or an attack. */
const MAX_CHANGE = 0.3;
const NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** A fetched list is not used; the message is for the log. */
export class ListRefusal extends Error {
  override name = 'ListRefusal';
}

/**
 * Parses a list of disposable domains, one per line, with `#` and `//` comments. Throws a `ListRefusal` if an
 * entry is not a domain, is a public suffix or an ordinary provider, or if the count is far from
 * `entriesBefore` (0: unknown).
 */
export function parseFetchedList(text: string, lists: DomainLists, entriesBefore: number): string[] {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const name = line.trim().toLowerCase();
    if (name === '' || name.startsWith('#') || name.startsWith('//')) continue;
    checkEntry(name, lists);
    names.add(name);
  }
  if (names.size < MIN_ENTRIES) {
    throw new ListRefusal(`it has ${names.size} entries, fewer than ${MIN_ENTRIES}`);
  }
  if (entriesBefore > 0 && Math.abs(names.size - entriesBefore) > entriesBefore * MAX_CHANGE) {
    throw new ListRefusal(`it has ${names.size} entries; the current list has ${entriesBefore}`);
  }
  return [...names];
}

function checkEntry(name: string, lists: DomainLists): void {
  const shown = JSON.stringify(name.slice(0, 80));
  if (getDomainFacts(name).isPublicSuffix) throw new ListRefusal(`it names ${shown}, a public suffix`);
  if (!NAME.test(name)) throw new ListRefusal(`it names ${shown}, which is not a domain`);
  if (lists.neverDisposable.has(name)) throw new ListRefusal(`it names ${shown}, an ordinary provider`);
}
