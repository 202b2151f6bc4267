import { createHash } from 'node:crypto';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import { type BuiltLists, type ListInputs, parseEntries } from './build-domain-lists.ts';
import { listSharedNames } from './coverage.ts';

/**
 * Builds the samples of `test/email/lists`: the names with the lowest hashes, so that a rebuild has the same.
 */
export function buildSamples(inputs: ListInputs): BuiltLists {
  const { sources, overlay } = inputs;
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
    'shared-by-public-lists.txt': sample(listSharedNames(inputs), 2000).toSorted(),
    'known-domains.txt': [...new Set(known)].filter((name) => /^[a-z0-9.-]+$/.test(name)).toSorted(),
  };
}

function sample(names: Iterable<string>, size: number): string[] {
  const hashed = [...names].map((name) => ({ name, hash: createHash('sha256').update(name).digest('hex') }));
  const sorted = hashed.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  return sorted.slice(0, size).map(({ name }) => name);
}
