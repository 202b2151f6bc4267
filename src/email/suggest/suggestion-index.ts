import { getOtherCost, prepareWord, type PreparedWord } from './edit-cost.ts';
import { RESPELLINGS } from './rules.ts';

/** A provider's domains under one label: `yahoo` with `com`, `co.uk`, `fr` …, commonest suffix first. */
export interface ProviderFamily {
  label: string;
  suffixes: string[];
  /** The label is an ordinary word, so other words are near. */
  isWord: boolean;
  /** Rough share of consumer addresses, in parts per 10,000. */
  weight: number;
}

/** A word that a typed label is compared with: a provider's label, or a spelling of it at its own `cost`. */
export interface Target extends PreparedWord {
  letters: number;
  cost: number;
  /** The least that any error in it costs, with the share of the provider. */
  least: number;
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
  /** The cost of each of them: the negative logarithm of its share of addresses, in hundredths. */
  rarity: ReadonlyMap<string, number>;
  /** Domains of providers by their name without dots and hyphens. */
  bareNames: ReadonlyMap<string, string>;
  /** Known typos, and the domains that were meant. */
  typos: ReadonlyMap<string, string>;
  /** Domains near a provider's that are known to serve mail of their own, never corrected. */
  mailDomains: ReadonlySet<string>;
  /** Registered domains near a provider's, corrected only if DNS proves that they accept no mail. */
  neighbors: ReadonlySet<string>;
}

/** Names of fewer letters are all in use, so they are compared with nothing. */
const MIN_TARGET_LENGTH = 3;
/** Shorter names without a dot are those of others. */
const MIN_BARE_LENGTH = 5;

/** The suffixes of a provider follow Zipf's law with this exponent. */
const ZIPF = 1.5;

/** Builds the index: `providers` are lines of `weight label suffix…`, `typos` of `typed meant`. */
export function buildSuggestionIndex(
  providers: Iterable<string>,
  typos: Iterable<string>,
  { mailDomains, neighbors }: Pick<SuggestionIndex, 'mailDomains' | 'neighbors'>,
): SuggestionIndex {
  const families = new Map<string, ProviderFamily[]>();
  const targets: Target[][] = [];
  const rarity = new Map<string, number>();
  const bareNames = new Map<string, string>();
  const bySize = Array.from(providers, parseFamily).toSorted((first, second) => second.weight - first.weight);
  for (const family of bySize) {
    const { label, suffixes, weight } = family;
    families.set(label, [...(families.get(label) ?? []), family]);
    for (const target of listTargets(family)) (targets[target.word.length] ??= []).push(target);
    const sum = suffixes.reduce((total, _suffix, rank) => total + 1 / (rank + 1) ** ZIPF, 0);
    for (const [rank, suffix] of suffixes.entries()) {
      const domain = `${label}.${suffix}`;
      const name = getBareName(domain);
      const share = weight / 10_000 / sum / (rank + 1) ** ZIPF;
      rarity.set(domain, Math.min(rarity.get(domain) ?? Number.POSITIVE_INFINITY, -100 * Math.log(share)));
      if (name.length >= MIN_BARE_LENGTH && !bareNames.has(name)) bareNames.set(name, domain);
    }
  }
  const knownTypos = new Map(Array.from(typos, (line) => line.split(' ') as [string, string]));
  const names = { domains: new Set(rarity.keys()), rarity, bareNames, typos: knownTypos };
  return { families, targets, ...names, mailDomains, neighbors };
}

/** Parses `weight label suffix…`; a `~` before the label marks a word. */
function parseFamily(line: string): ProviderFamily {
  const [weight, marked = '', ...suffixes] = line.split(' ');
  const isWord = marked.startsWith('~');
  return { label: isWord ? marked.slice(1) : marked, suffixes, isWord, weight: Number(weight) };
}

/** Returns a domain without its dots and hyphens. */
export function getBareName(domain: string): string {
  return domain.replace(/[.-]/g, '');
}

function listTargets(family: ProviderFamily): Target[] {
  const { label, isWord } = family;
  // Numbers are all in use: 163.com, 1163.com.
  if (label.length < MIN_TARGET_LENGTH || /^[0-9]+$/.test(label)) return [];
  const spellings = isWord ? [] : RESPELLINGS.filter(([meant]) => meant.test(label));
  const words: [word: string, cost: number][] = [[label, 0]];
  for (const [meant, typed, error] of spellings) {
    words.push([label.replace(meant, typed), getOtherCost(error) + 100 * Math.log(spellings.length)]);
  }
  const share = -100 * Math.log(family.weight / 10_000);
  return words.map(([word, cost]) => {
    return {
      ...prepareWord(word, false, false),
      letters: getLetterSet(word),
      cost,
      least: share + cost,
      family,
    };
  });
}

/** Returns the characters of a word as bits: one per letter; other characters share the bits above. */
export function getLetterSet(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    letters |= 1 << (unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : 26 + (unit & 3));
  }
  return letters;
}

/** Returns the least number of edits between two words: the larger count of characters that only one has. */
export function countMissingLetters(first: number, second: number): number {
  return Math.max(countBits(first & ~second), countBits(second & ~first));
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
