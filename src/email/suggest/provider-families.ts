import type { Thresholds } from './thresholds.ts';
import { RESPELLINGS, RESPELLING_COST } from './rules.ts';

/** Returns the characters of a word as bits: one per letter; other characters share the bits above. */
export function getLetterSet(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    letters |= 1 << (unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : 26 + (unit & 3));
  }
  return letters;
}

/**
 * Returns the least number of edits between two words: the larger count of characters that only one of them
 * has.
 */
export function countMissingLetters(first: number, second: number): number {
  return Math.max(countBits(first & ~second), countBits(second & ~first));
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** A provider's label and how common it is. */
interface Provider {
  label: string;
  /** Rough share of consumer addresses, in parts per 10,000. */
  weight: number;
  /** The label is an ordinary word, so other words are near. */
  isWord: boolean;
}

/** Returns true if only a single slip is accepted in the label, because other names are near. */
function allowsOnlySlips({ label, weight, isWord }: Provider, thresholds: Thresholds): boolean {
  const { length } = label;
  if (isWord) return length <= thresholds.slipOnlyWordLength || weight < thresholds.slipOnlyWordWeight;
  if (length <= thresholds.slipOnlyLength) return true;
  if (length <= 5 && weight < thresholds.slipOnlyOf5Weight) return true;
  return length <= 7 && weight < thresholds.slipOnlyOf7Weight;
}

/**
 * Computes the highest cost of an error in the label: more if it is long, and if many people type it. A slip
 * has no limit.
 */
function computeLabelLimit(provider: Provider, thresholds: Thresholds): number {
  if (allowsOnlySlips(provider, thresholds)) return Number.POSITIVE_INFINITY;
  if (provider.isWord) return thresholds.popularWordLimit;
  return getLengthLimit(provider.label.length, thresholds) + getPopularityBonus(provider.weight, thresholds);
}

function getLengthLimit(length: number, thresholds: Thresholds): number {
  if (length >= 10) return thresholds.labelOf10;
  const { labelOf5, labelOf6, labelOf7, labelOf8, labelOf9 } = thresholds;
  return [labelOf5, labelOf6, labelOf7, labelOf8, labelOf9][length - 5] ?? 0;
}

/** Returns what is added to the limits for a provider of this weight; negative for a small one. */
export function getPopularityBonus(weight: number, thresholds: Thresholds): number {
  if (weight >= 1000) return thresholds.bonusFromWeight1000;
  if (weight >= 300) return thresholds.bonusFromWeight300;
  if (weight >= 20) return 0;
  return weight >= 8 ? -thresholds.penaltyBelowWeight20 : -thresholds.penaltyBelowWeight8;
}

/**
 * The domains of a provider under one label: `yahoo` with `com`, `co.uk`, `fr` …, commonest suffix first.
 */
export interface ProviderFamily extends Provider {
  suffixes: string[];
  /** Only a single slip is accepted in the label. */
  allowsOnlySlips: boolean;
  /** The highest cost of an error in the label. */
  labelLimit: number;
  /** See `getLetterSet`. */
  letters: number;
}

/** Parses lines of `weight label suffix…`; a `~` before the label marks a word. */
export function parseProviderFamilies(lines: Iterable<string>, thresholds: Thresholds): ProviderFamily[] {
  const families: ProviderFamily[] = [];
  for (const line of lines) {
    const [weightText, marked = '', ...suffixes] = line.split(' ');
    const isWord = marked.startsWith('~');
    const label = isWord ? marked.slice(1) : marked;
    const provider: Provider = { label, weight: Number(weightText), isWord };
    families.push({
      ...provider,
      suffixes,
      allowsOnlySlips: allowsOnlySlips(provider, thresholds),
      labelLimit: computeLabelLimit(provider, thresholds),
      letters: getLetterSet(label),
    });
  }
  return families;
}

/** A spelling of a label by ear, and its cost in hundredths of an edit. */
interface Respelling {
  label: string;
  cost: number;
}

/** Lists the spellings of a label by ear. */
export function listRespellings(label: string): Respelling[] {
  return RESPELLINGS.filter(([meant]) => meant.test(label)).map(([meant, typed]) => ({
    label: label.replace(meant, typed),
    cost: RESPELLING_COST,
  }));
}
