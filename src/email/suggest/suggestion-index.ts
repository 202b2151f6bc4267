import {
  listRespellings,
  type ProviderFamily,
  readLetters,
  readProviderFamilies,
} from './provider-families.ts';

/** A word that a typed label is compared with: a provider's label, or a spelling of it by ear at its own `cost`. */
export interface Target {
  word: string;
  letters: number;
  cost: number;
  family: ProviderFamily;
}

/** All that a suggestion is made from, built once from the bundled lists. */
export interface SuggestionIndex {
  /** Families by their label, for a right label with a wrong suffix. */
  families: ReadonlyMap<string, ProviderFamily[]>;
  /** Targets by length of the word, for the nearest label. */
  targets: readonly Target[][];
  /** Every provider domain. */
  domains: ReadonlySet<string>;
  /** Provider domains without their dots and hyphens: one lost or in the wrong place. */
  undotted: ReadonlyMap<string, string>;
  /** As `undotted`, with small providers and short names, for a name that cannot exist as it stands. */
  dotless: ReadonlyMap<string, string>;
  /** Known misspellings. */
  typos: ReadonlyMap<string, string>;
  /** Real domains near a provider's, never corrected. */
  neighbours: ReadonlySet<string>;
}

/** A label shorter than this is compared with nothing: every such name belongs to somebody. */
const MIN_TARGET_LENGTH = 3;
const MIN_UNDOTTED_LENGTH = 6;
const MIN_DOTLESS_LENGTH = 5;
const MIN_DOTLESS_WEIGHT = 4;
/** Only the providers that many people use are worth a spelling by ear, or a misplaced dot. */
const MIN_SPREAD_WEIGHT = 20;

/** Builds the index: `providers` are lines of `weight label suffix…`, `typos` of `typed meant`. */
export function buildSuggestionIndex(
  providers: Iterable<string>,
  typos: Iterable<string>,
  neighbours: ReadonlySet<string>,
): SuggestionIndex {
  const families = readProviderFamilies(providers);
  const byLabel = new Map<string, ProviderFamily[]>();
  const targets: Target[][] = [];
  const domains = new Set<string>();
  const undotted = new Map<string, string>();
  const dotless = new Map<string, string>();
  for (const family of families.toSorted((first, second) => second.weight - first.weight)) {
    byLabel.set(family.label, [...(byLabel.get(family.label) ?? []), family]);
    for (const target of listTargets(family)) (targets[target.word.length] ??= []).push(target);
    for (const suffix of family.suffixes) {
      const domain = `${family.label}.${suffix}`;
      const bare = readBareName(domain);
      domains.add(domain);
      if (bare.length >= MIN_DOTLESS_LENGTH && family.weight >= MIN_DOTLESS_WEIGHT && !dotless.has(bare))
        dotless.set(bare, domain);
      if (family.weight < MIN_SPREAD_WEIGHT || bare.length < MIN_UNDOTTED_LENGTH || undotted.has(bare))
        continue;
      undotted.set(bare, domain);
    }
  }
  return {
    families: byLabel,
    targets,
    domains,
    undotted,
    dotless,
    typos: new Map(Array.from(typos, (line) => line.split(' ') as [string, string])),
    neighbours,
  };
}

/** A domain without its dots and hyphens. */
export function readBareName(domain: string): string {
  return domain.replace(/[.-]/g, '');
}

function listTargets(family: ProviderFamily): Target[] {
  const { label, letters } = family;
  // Numbers are all taken: 163.com, 1163.com.
  if (label.length < MIN_TARGET_LENGTH || /^[0-9]+$/.test(label)) return [];
  const respelt = family.isWord || family.weight < MIN_SPREAD_WEIGHT ? [] : listRespellings(label);
  return [
    { word: label, letters, cost: 0, family },
    ...respelt.map(({ label: word, cost }) => ({ word, letters: readLetters(word), cost, family })),
  ];
}
