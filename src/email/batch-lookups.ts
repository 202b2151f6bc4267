import { LRUCache } from 'lru-cache';
import type { ValidateEmailDeps } from './validate-email.ts';

type LookUp<T extends object> = (name: string, signal?: AbortSignal) => T | Promise<T>;

/** The dependencies of a batch, whose lookups are cached, and how many of them are pending. */
export interface BatchLookups {
  deps: ValidateEmailDeps;
  countPending: () => number;
}

/** Bounds the memory of a long batch. */
const MAX_CACHED_NAMES = 10_000;

/** Opens the lookups of a batch: each name is looked up once. */
export function openBatchLookups(deps: ValidateEmailDeps): BatchLookups {
  let pending = 0;
  const track = (lookup: Promise<unknown>): void => {
    pending += 1;
    const end = (): void => void (pending -= 1);
    lookup.then(end, end);
  };
  const { lookupMail, lookupTxt } = deps;
  return {
    deps: {
      ...deps,
      lookupMail: cacheLookups(lookupMail, track),
      ...(lookupTxt && { lookupTxt: cacheLookups(lookupTxt, track) }),
    },
    countPending: () => pending,
  };
}

/** Caches lookups per name. Failed ones too, because the resolver has already retried them. */
function cacheLookups<T extends object>(
  lookUp: LookUp<T>,
  track: (lookup: Promise<unknown>) => void,
): LookUp<T> {
  // With `max`, a cache allocates all its places at once: milliseconds for a batch of few addresses.
  const cache = new LRUCache<string, T | Promise<T>>({
    maxSize: MAX_CACHED_NAMES,
    sizeCalculation: () => 1,
  });
  return (name, signal) => {
    let facts = cache.get(name);
    if (facts === undefined) {
      facts = lookUp(name, signal);
      if (facts instanceof Promise) track(facts);
      cache.set(name, facts);
    }
    return facts;
  };
}
