import { computeEditCost, findSlip } from './edit-cost.ts';
import { type TypedSuffix, findSuffix } from './find-suffix.ts';
import { type ProviderFamily, countMissingLetters, getLetterSet } from './provider-families.ts';
import type { SuggestionIndex, Target } from './suggestion-index.ts';
import type { Thresholds } from './thresholds.ts';

/** A provider's domain that was probably meant, and the cost of the error in hundredths of an edit. */
export interface ProviderMatch {
  domain: string;
  cost: number;
  /** Of the provider, see `Provider`. */
  weight: number;
}

/** A domain as typed, and what is added to the limits for it. */
interface TypedDomain {
  label: string;
  suffix: TypedSuffix;
  slack: number;
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

/**
 * Finds the provider whose domain was mistyped as `label` and `suffix`; null if none is near, or two are
 * about as near. If the typed domain `refusesMail`, the limits are higher.
 */
export function findProvider(
  index: SuggestionIndex,
  label: string,
  suffix: TypedSuffix,
  refusesMail: boolean,
): ProviderMatch | null {
  const { thresholds } = index;
  const families = index.families.get(label);
  if (families !== undefined) return findProviderOfLabel(families, suffix, thresholds);
  // A label that is real under .com is not a typo under another suffix either.
  if (label.length > thresholds.maxUnprotectedLength && isRealUnderCom(index, label, refusesMail))
    return null;
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  let secondScore = Number.POSITIVE_INFINITY;
  const letters = getLetterSet(label);
  const typed: TypedDomain = { label, suffix, slack: refusesMail ? thresholds.noMailSlack : 0 };
  for (let length = Math.max(0, label.length - MAX_EDITS); length <= label.length + MAX_EDITS; length++) {
    for (const target of index.targets[length] ?? []) {
      const missing = countMissingLetters(letters, target.letters);
      if (missing > MAX_EDITS) continue;
      if (missing > 0 && length < LONG_WORD_LENGTH && Math.abs(length - label.length) > 1) continue;
      const match = matchTarget(target, typed, missing, thresholds);
      if (match === null) continue;
      const score = match.cost - computePrior(target.family, thresholds);
      if (score < bestScore) {
        if (best !== null && best.domain !== match.domain) secondScore = bestScore;
        bestScore = score;
        best = match;
      } else if (score < secondScore && match.domain !== best?.domain) secondScore = score;
    }
  }
  return secondScore - bestScore < thresholds.clearMargin ? null : best;
}

function isRealUnderCom({ mailDomains, neighbors }: SuggestionIndex, label: string, refusesMail: boolean) {
  const domain = `${label}.com`;
  return mailDomains.has(domain) || (neighbors.has(domain) && !refusesMail);
}

/** Compares a typed domain with a target; `missing` is the number of letters that the other word lacks. */
function matchTarget(
  target: Target,
  { label, suffix, slack }: TypedDomain,
  missing: number,
  thresholds: Thresholds,
): ProviderMatch | null {
  const { family } = target;
  const bonus = suffix.isReal ? 0 : thresholds.nonexistentSuffixBonus;
  const limit = family.labelLimit + slack + bonus - target.cost;
  if (missing * MIN_LETTER_COST > limit) return null;
  if (family.allowsOnlySlips) {
    const isLonger = label.length === target.word.length + 1 && family.weight >= thresholds.slipKeyAdded;
    // Of the slips, only an added key is a letter that the other word lacks.
    if (missing > (isLonger ? 1 : 0)) return null;
    if (!isAcceptedSlip(family, label, suffix.text, thresholds)) return null;
  }
  const labelCost = computeEditCost(label, target.word, limit);
  if (labelCost > limit) return null;
  const match = findSuffix(family, suffix, false, thresholds);
  if (match === null || (match.cost > thresholds.maxSuffixCostWithLabelError && labelCost > 0)) return null;
  const cost = labelCost + target.cost + match.cost;
  return { domain: `${family.label}.${match.suffix}`, cost, weight: family.weight };
}

/**
 * Returns true if the label is a single slip away from the family's, and its provider is popular enough for
 * it.
 */
function isAcceptedSlip(
  family: ProviderFamily,
  label: string,
  suffix: string,
  thresholds: Thresholds,
): boolean {
  const { weight, isWord, suffixes } = family;
  const slip = findSlip(label, family.label);
  if (slip === null) return false;
  if (slip === 'key_beside_added') return weight >= thresholds.slipKeyAdded;
  const isCountry = suffix.length === 2 || suffix.includes('.');
  const { length } = family.label;
  if (length === 3) {
    if (isWord) return false;
    if (slip === 'doubled_letter') return weight >= thresholds.slipDoubledOf3;
    if (slip !== 'swapped_letters' || !isCountry || suffix !== suffixes[0]) return false;
    return weight >= thresholds.slipSwappedOf3;
  }
  if (slip === 'one_of_pair_missing') {
    const { slipPairMissing, slipPairMissingInWord } = thresholds;
    return isCountry && weight >= (isWord ? slipPairMissingInWord : slipPairMissing);
  }
  if (length >= 6) return weight >= thresholds.slipOf6;
  const isDistinct = slip === 'doubled_letter' || length > 4 || suffix !== 'com';
  return weight >= (isDistinct ? thresholds.slipOf4Or5 : thresholds.slipSwappedOf4UnderCom);
}

/** Finds the suffix of a label without an error: the nearest, with a bonus for the larger provider. */
function findProviderOfLabel(
  families: ProviderFamily[],
  suffix: TypedSuffix,
  thresholds: Thresholds,
): ProviderMatch | null {
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const family of families) {
    const match = findSuffix(family, suffix, true, thresholds);
    if (match === null || match.cost === 0) continue;
    const score = match.cost - computePrior(family, thresholds);
    if (score >= bestScore) continue;
    bestScore = score;
    best = { domain: `${family.label}.${match.suffix}`, cost: match.cost, weight: family.weight };
  }
  return best;
}

/** Computes the bonus of a provider for its share of all addresses, in hundredths of an edit. */
function computePrior({ weight }: ProviderFamily, thresholds: Thresholds): number {
  return thresholds.tenfoldWeightCost * Math.log10(weight);
}
