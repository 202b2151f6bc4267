import { createHash } from 'node:crypto';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import type { BuiltLists, GradedNames, ListInputs } from './build-domain-lists.ts';
import { parseEntries } from './entries.ts';

/**
 * Builds the samples of `test/email/lists`: the names with the lowest hashes, so that a rebuild has the same.
 */
export function buildSamples({ sources, overlay }: ListInputs, { context }: GradedNames): BuiltLists {
  const own = new Set(parseEntries(overlay['disposable-extra']));
  const isps = [...sources.branches].filter(([, branch]) => branch === 'ISP').map(([name]) => name);
  const known = [
    ...sample(
      [...sources.top].filter((name) => !own.has(name)),
      800,
    ),
    ...sample(sources.schools, 600),
    ...sample(isps, 600),
    ...sample(sources.providers, 200),
    ...RELAY_DOMAINS,
  ];
  return {
    'seen-by-two-origins.txt': sample(listSeenTwice(context.sightings), 2000).toSorted(),
    'known-domains.txt': [...new Set(known)].filter((name) => /^[a-z0-9.-]+$/.test(name)).toSorted(),
  };
}

/** Lists the names that contributors of two lists, or a list and a generator, have seen; none removed it. */
export function listSeenTwice(sightings: GradedNames['context']['sightings']): string[] {
  const seen = [...sightings].filter(([, said]) => {
    const letters = new Set(said.map(({ letter }) => letter));
    const isRemoved = [...letters].some((letter) => letter < 'a');
    return !isRemoved && [...letters].filter((letter) => /[dwmxf]/.test(letter)).length > 1;
  });
  return seen.map(([name]) => name);
}

function sample(names: Iterable<string>, size: number): string[] {
  const hashed = [...names].map((name) => ({ name, hash: createHash('sha256').update(name).digest('hex') }));
  const sorted = hashed.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  return sorted.slice(0, size).map(({ name }) => name);
}
