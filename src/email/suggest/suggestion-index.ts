import { getLetterSet } from './letter-set.ts';
import { listRespellings, parseProviderFamilies, type ProviderFamily } from './provider-families.ts';

/**
 * A word that a typed label is compared with: a provider's label, or a spelling of it by ear at its own
 * `cost`.
 */
export interface Target {
  word: string;
  letters: number;
  cost: number;
  family: ProviderFamily;
}

/** The data for suggestions, built once from the bundled lists. */
export interface SuggestionIndex {
  /** Families by label, largest first, for a correct label with a wrong suffix. */
  families: ReadonlyMap<string, ProviderFamily[]>;
  /** Targets by length of the word, for a label with an error. */
  targets: readonly Target[][];
  /** All domains of providers. */
  domains: ReadonlySet<string>;
  /** Domains of popular providers by their name without dots and hyphens. */
  undotted: ReadonlyMap<string, string>;
  /** As `undotted`, with smaller providers and shorter names, for a name that cannot exist. */
  dotless: ReadonlyMap<string, string>;
  /** Known typos, and the domains that were meant. */
  typos: ReadonlyMap<string, string>;
  /** Real domains near a provider's, never corrected. */
  neighbors: ReadonlySet<string>;
}

/** Names of fewer letters are all in use, so they are compared with nothing. */
const MIN_TARGET_LENGTH = 3;
const MIN_UNDOTTED_LENGTH = 6;
const MIN_DOTLESS_LENGTH = 5;
const MIN_DOTLESS_WEIGHT = 4;
/** Less popular providers have no spellings by ear and no entry in `undotted`. */
const MIN_POPULAR_WEIGHT = 20;

/** Builds the index: `providers` are lines of `weight label suffix…`, `typos` of `typed meant`. */
export function buildSuggestionIndex(
  providers: Iterable<string>,
  typos: Iterable<string>,
  neighbors: ReadonlySet<string>,
): SuggestionIndex {
  const families = new Map<string, ProviderFamily[]>();
  const targets: Target[][] = [];
  const domains = new Set<string>();
  const undotted = new Map<string, string>();
  const dotless = new Map<string, string>();
  const bySize = parseProviderFamilies(providers).toSorted((first, second) => second.weight - first.weight);
  for (const family of bySize) {
    const { label, weight } = family;
    families.set(label, [...(families.get(label) ?? []), family]);
    for (const target of listTargets(family)) (targets[target.word.length] ??= []).push(target);
    for (const suffix of family.suffixes) {
      const domain = `${label}.${suffix}`;
      const name = getBareName(domain);
      domains.add(domain);
      const isDotless = name.length >= MIN_DOTLESS_LENGTH && weight >= MIN_DOTLESS_WEIGHT;
      if (isDotless && !dotless.has(name)) dotless.set(name, domain);
      const isUndotted = name.length >= MIN_UNDOTTED_LENGTH && weight >= MIN_POPULAR_WEIGHT;
      if (isUndotted && !undotted.has(name)) undotted.set(name, domain);
    }
  }
  const typoPairs = Array.from(typos, (line) => line.split(' ') as [string, string]);
  return { families, targets, domains, undotted, dotless, typos: new Map(typoPairs), neighbors };
}

/** Returns a domain without its dots and hyphens. */
export function getBareName(domain: string): string {
  return domain.replace(/[.-]/g, '');
}

function listTargets(family: ProviderFamily): Target[] {
  const { label, letters } = family;
  // Numbers are all in use: 163.com, 1163.com.
  if (label.length < MIN_TARGET_LENGTH || /^[0-9]+$/.test(label)) return [];
  const respellings = family.isWord || family.weight < MIN_POPULAR_WEIGHT ? [] : listRespellings(label);
  return [
    { word: label, letters, cost: 0, family },
    ...respellings.map(({ label: word, cost }) => ({ word, letters: getLetterSet(word), cost, family })),
  ];
}
