import {
  type ProviderFamily,
  getLetterSet,
  listRespellings,
  parseProviderFamilies,
} from './provider-families.ts';
import { THRESHOLDS, type Thresholds } from './thresholds.ts';

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
  /** Domains near a provider's that are known to serve mail of their own, never corrected. */
  mailDomains: ReadonlySet<string>;
  /** Registered domains near a provider's, corrected only if DNS proves that they accept no mail. */
  neighbors: ReadonlySet<string>;
  thresholds: Thresholds;
}

/** Names of fewer letters are all in use, so they are compared with nothing. */
const MIN_TARGET_LENGTH = 3;

/** Builds the index: `providers` are lines of `weight label suffix…`, `typos` of `typed meant`. */
export function buildSuggestionIndex(
  providers: Iterable<string>,
  typos: Iterable<string>,
  { mailDomains, neighbors }: Pick<SuggestionIndex, 'mailDomains' | 'neighbors'>,
  thresholds: Thresholds = THRESHOLDS,
): SuggestionIndex {
  const families = new Map<string, ProviderFamily[]>();
  const targets: Target[][] = [];
  const domains = new Set<string>();
  const undotted = new Map<string, string>();
  const dotless = new Map<string, string>();
  const { dotlessLength, undottedLength, popularWeight } = thresholds;
  const bySize = parseProviderFamilies(providers, thresholds).toSorted(
    (first, second) => second.weight - first.weight,
  );
  for (const family of bySize) {
    const { label, weight } = family;
    families.set(label, [...(families.get(label) ?? []), family]);
    for (const target of listTargets(family, thresholds)) (targets[target.word.length] ??= []).push(target);
    for (const suffix of family.suffixes) {
      const domain = `${label}.${suffix}`;
      const name = getBareName(domain);
      domains.add(domain);
      if (name.length >= dotlessLength && !dotless.has(name)) dotless.set(name, domain);
      const isUndotted = name.length >= undottedLength && weight >= popularWeight;
      if (isUndotted && !undotted.has(name)) undotted.set(name, domain);
    }
  }
  const typoPairs = Array.from(typos, (line) => line.split(' ') as [string, string]);
  const knownTypos = new Map(typoPairs);
  const names = { domains, undotted, dotless, typos: knownTypos, mailDomains, neighbors };
  return { families, targets, ...names, thresholds };
}

/** Returns a domain without its dots and hyphens. */
export function getBareName(domain: string): string {
  return domain.replace(/[.-]/g, '');
}

function listTargets(family: ProviderFamily, thresholds: Thresholds): Target[] {
  const { label, letters, weight, isWord } = family;
  // Numbers are all in use: 163.com, 1163.com.
  if (label.length < MIN_TARGET_LENGTH || /^[0-9]+$/.test(label)) return [];
  const isHeard = !isWord && weight >= thresholds.popularWeight;
  const respellings = isHeard ? listRespellings(label) : [];
  return [
    { word: label, letters, cost: 0, family },
    ...respellings.map(({ label: word, cost }) => ({ word, letters: getLetterSet(word), cost, family })),
  ];
}
