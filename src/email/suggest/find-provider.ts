import { computeEditCost } from './edit-cost.ts';
import { findSlip } from './find-slip.ts';
import { CLEAR_MARGIN, findSuffix } from './find-suffix.ts';
import { countMissingLetters, getLetterSet } from './letter-set.ts';
import type { ProviderFamily } from './provider-families.ts';
import type { TypedSuffix } from './suffix-cost.ts';
import type { SuggestionIndex, Target } from './suggestion-index.ts';

/** A provider's domain that was probably meant, and the cost of the error in hundredths of an edit. */
export interface ProviderMatch {
  domain: string;
  cost: number;
}

/** Words with more characters that the other one lacks are not compared. */
const MAX_EDITS = 2;
/** Shorter words may differ by two letters in length only if neither has a letter that the other lacks. */
const LONG_WORD_LENGTH = 6;
/**
 * A lower bound for the cost of a letter that the other word lacks; the few cheaper ones are similar in
 * shape.
 */
const MIN_LETTER_COST = 70;
/** Added to the limit if the suffix does not exist, because such a domain cannot be meant. */
const NONEXISTENT_SUFFIX_BONUS = 30;
/** Up to this cost a label is certain enough to correct a suffix that exists. */
const CERTAIN_LABEL_COST = 70;
/** The highest cost of a suffix if the label has an error too. */
const MAX_SUFFIX_COST_WITH_LABEL_ERROR = 130;
/** Labels up to this length are not protected by a real domain under `.com`. */
const MAX_UNPROTECTED_LENGTH = 3;
/** The worth of a tenfold share of all addresses, in hundredths of an edit. */
const TENFOLD_WEIGHT_COST = 12;

/**
 * Finds the provider whose domain was mistyped as `label` and `suffix`; null if none is near, or two are
 * about as near. `slack` is added to the limits.
 */
export function findProvider(
  index: SuggestionIndex,
  label: string,
  suffix: TypedSuffix,
  slack: number,
): ProviderMatch | null {
  const families = index.families.get(label);
  if (families !== undefined) return findProviderOfLabel(families, suffix);
  // A label that is real under .com is not a typo under another suffix either.
  if (label.length > MAX_UNPROTECTED_LENGTH && index.neighbors.has(`${label}.com`)) return null;
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  let secondScore = Number.POSITIVE_INFINITY;
  const letters = getLetterSet(label);
  for (let length = Math.max(0, label.length - MAX_EDITS); length <= label.length + MAX_EDITS; length++) {
    for (const target of index.targets[length] ?? []) {
      const missing = countMissingLetters(letters, target.letters);
      if (missing > MAX_EDITS) continue;
      if (missing > 0 && length < LONG_WORD_LENGTH && Math.abs(length - label.length) > 1) continue;
      const match = matchTarget(target, label, suffix, slack, missing);
      if (match === null) continue;
      const score = match.cost - computePrior(target.family);
      if (score < bestScore) {
        if (best !== null && best.domain !== match.domain) secondScore = bestScore;
        bestScore = score;
        best = match;
      } else if (score < secondScore && match.domain !== best?.domain) secondScore = score;
    }
  }
  return secondScore - bestScore < CLEAR_MARGIN ? null : best;
}

function matchTarget(
  target: Target,
  label: string,
  suffix: TypedSuffix,
  slack: number,
  missing: number,
): ProviderMatch | null {
  const { family } = target;
  const limit = family.labelLimit + slack + (suffix.isReal ? 0 : NONEXISTENT_SUFFIX_BONUS) - target.cost;
  if (missing * MIN_LETTER_COST > limit) return null;
  if (family.allowsOnlySlips && (missing > 0 || !isAcceptedSlip(family, label, suffix.text))) return null;
  const labelCost = computeEditCost(label, target.word, limit);
  if (labelCost > limit) return null;
  const certainty = labelCost + target.cost <= CERTAIN_LABEL_COST ? 'certain' : 'likely';
  const match = findSuffix(family, suffix, certainty);
  if (match === null || (match.cost > MAX_SUFFIX_COST_WITH_LABEL_ERROR && labelCost > 0)) return null;
  return { domain: `${family.label}.${match.suffix}`, cost: labelCost + target.cost + match.cost };
}

/**
 * The least weight of a provider whose slips are accepted: more if the label is short, because other names
 * are near.
 */
const MIN_SLIP_WEIGHTS = {
  threeLettersDoubled: 12,
  /** Only under the provider's first suffix, if that is a country's. */
  threeLettersSwapped: 20,
  /** Only under a country's suffix. */
  oneOfPairMissing: 10,
  oneOfPairMissingInWord: 40,
  sixLetters: 3,
  fewerLetters: 10,
  fourLettersSwappedUnderCom: 40,
};

/**
 * Returns true if the label is a single slip away from the family's, and its provider is popular enough for
 * it.
 */
function isAcceptedSlip(family: ProviderFamily, label: string, suffix: string): boolean {
  const { weight, isWord, suffixes } = family;
  const slip = findSlip(label, family.label);
  if (slip === null) return false;
  const isCountry = suffix.length === 2 || suffix.includes('.');
  const { length } = family.label;
  if (length === 3) {
    if (isWord) return false;
    if (slip === 'doubled_letter') return weight >= MIN_SLIP_WEIGHTS.threeLettersDoubled;
    if (slip !== 'swapped_letters' || !isCountry || suffix !== suffixes[0]) return false;
    return weight >= MIN_SLIP_WEIGHTS.threeLettersSwapped;
  }
  if (slip === 'one_of_pair_missing') {
    const { oneOfPairMissing, oneOfPairMissingInWord } = MIN_SLIP_WEIGHTS;
    return isCountry && weight >= (isWord ? oneOfPairMissingInWord : oneOfPairMissing);
  }
  if (length >= 6) return weight >= MIN_SLIP_WEIGHTS.sixLetters;
  const { fewerLetters, fourLettersSwappedUnderCom } = MIN_SLIP_WEIGHTS;
  const isDistinct = slip === 'doubled_letter' || length > 4 || suffix !== 'com';
  return weight >= (isDistinct ? fewerLetters : fourLettersSwappedUnderCom);
}

/** Finds the suffix of a label without an error: the nearest, with a bonus for the larger provider. */
function findProviderOfLabel(families: ProviderFamily[], suffix: TypedSuffix): ProviderMatch | null {
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const family of families) {
    const match = findSuffix(family, suffix, 'exact');
    if (match === null || match.cost === 0) continue;
    const score = match.cost - computePrior(family);
    if (score >= bestScore) continue;
    bestScore = score;
    best = { domain: `${family.label}.${match.suffix}`, cost: match.cost };
  }
  return best;
}

/** Computes the bonus of a provider for its share of all addresses, in hundredths of an edit. */
function computePrior({ weight }: ProviderFamily): number {
  return TENFOLD_WEIGHT_COST * Math.log10(weight);
}
