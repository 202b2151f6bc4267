import { readDomainFacts } from '../domain/domain-facts.ts';
import type { DomainLists } from './domain-lists.ts';

/** A fetched list is cut off here by the fetcher; the largest list of its kind has a quarter of it. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MIN_ENTRIES = 1000;
/** A list that grows or shrinks by more than this from the one in use is a mistake or an attack. */
const MAX_CHANGE = 0.3;
const NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Why a fetched list is not used, in words for the log. */
export class ListRefusal extends Error {
  override name = 'ListRefusal';
}

/**
 * Reads a list of disposable domains, one a line with `#` and `//` comments. Throws a `ListRefusal` where an entry is no domain, a public
 * suffix or an ordinary provider, or where the count is far from `entriesBefore` (0: there was none).
 */
export function readFetchedList(text: string, lists: DomainLists, entriesBefore: number): string[] {
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
    throw new ListRefusal(`it has ${names.size} entries, the one in use ${entriesBefore}`);
  }
  return [...names];
}

function checkEntry(name: string, lists: DomainLists): void {
  const shown = JSON.stringify(name.slice(0, 80));
  if (readDomainFacts(name).isPublicSuffix) throw new ListRefusal(`it names ${shown}, a public suffix`);
  if (!NAME.test(name)) throw new ListRefusal(`it names ${shown}, which is not a domain`);
  if (lists.neverDisposable.has(name)) throw new ListRefusal(`it names ${shown}, an ordinary provider`);
}
