import { computeEditCost, readSlip } from './edit-cost.ts';
import { countMissingLetters, type ProviderFamily, readLetters } from './provider-families.ts';
import { CLEAR_MARGIN, pickSuffix } from './pick-suffix.ts';
import type { TypedSuffix } from './suffix-cost.ts';
import type { SuggestionIndex, Target } from './suggestion-index.ts';

/** A provider's domain that may have been meant, and what it takes to have mistyped it, in hundredths of an edit. */
export interface ProviderMatch {
  domain: string;
  cost: number;
}

const MAX_EDITS = 2;
/** From this length on a word is still recognised with two letters too many or too few; a shorter one if none of them is foreign to it. */
const LONG_WORD = 6;
/** What a letter that the other word lacks costs at the least, but for a few that look alike. */
const LETTER_COST = 70;
const UNREAL_SUFFIX_BONUS = 30;
const CERTAIN_COST = 70;
const MAX_UNREAL_SUFFIX_COST_WITH_TYPO = 130;

/**
 * Finds the provider whose domain was mistyped as `label` and `suffix`; null where none is near, or two are.
 * `slack` widens the limits for a domain that DNS says takes no mail.
 */
export function findProvider(
  index: SuggestionIndex,
  label: string,
  suffix: TypedSuffix,
  slack: number,
): ProviderMatch | null {
  const exact = index.families.get(label);
  if (exact !== undefined) return findSuffix(exact, suffix);
  // A name that is somebody's own under .com is not mistyped under another end either.
  if (label.length > 3 && index.neighbours.has(`${label}.com`)) return null;
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  let secondScore = Number.POSITIVE_INFINITY;
  const letters = readLetters(label);
  for (let length = Math.max(0, label.length - MAX_EDITS); length <= label.length + MAX_EDITS; length++) {
    for (const target of index.targets[length] ?? []) {
      const missing = countMissingLetters(letters, target.letters);
      if (missing > MAX_EDITS || (missing > 0 && length < LONG_WORD && Math.abs(length - label.length) > 1)) {
        continue;
      }
      const match = matchTarget(target, label, suffix, slack, missing);
      if (match === null) continue;
      const score = match.cost - readPrior(target.family);
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
  const limit = readLimit(family) + slack + (suffix.isReal ? 0 : UNREAL_SUFFIX_BONUS) - target.cost;
  if (missing * LETTER_COST > limit) return null;
  if (believesOnlySlips(family) && (missing > 0 || !isBelievedSlip(family, label, suffix.text))) return null;
  const labelCost = computeEditCost(label, target.word, limit);
  if (labelCost > limit) return null;
  const ending = pickSuffix(family, suffix, labelCost + target.cost <= CERTAIN_COST ? 'certain' : 'likely');
  if (ending === null || (ending.cost > MAX_UNREAL_SUFFIX_COST_WITH_TYPO && labelCost > 0)) return null;
  return { domain: `${family.label}.${ending.suffix}`, cost: labelCost + target.cost + ending.cost };
}

/** Of a short name, a word or a small provider only two slips are believed, their neighbours being taken. */
function believesOnlySlips({ label, weight, isWord }: ProviderFamily): boolean {
  if (label.length <= 4) return true;
  if (isWord) return label.length <= 5 || weight < 40;
  return label.length <= 5 ? weight < 20 : label.length <= 7 && weight < 8;
}

/** One slip; of three letters two swapped only under a country's own end, and of a short name one of a pair left out only of a great one. */
function isBelievedSlip(family: ProviderFamily, label: string, suffix: string): boolean {
  const { weight, isWord, suffixes } = family;
  const slip = readSlip(label, family.label);
  if (slip === null) return false;
  const isCountry = suffix.length === 2 || suffix.includes('.');
  const { length } = family.label;
  if (length === 3) {
    if (slip === 'doubling') return !isWord && weight >= 12;
    return slip === 'transposition' && !isWord && weight >= 20 && isCountry && suffix === suffixes[0];
  }
  if (slip === 'halving') return isCountry && weight >= (isWord ? 40 : 10);
  if (length >= 6) return weight >= 3;
  return weight >= (slip === 'doubling' || length > 4 || suffix !== 'com' ? 10 : 40);
}

const SLIP_LIMIT = 80;
/** Of a word that is a great provider's name a letter left out is believed, and a neighbouring key struck first. */
const GREAT_WORD_LIMIT = 90;
/** By length of the label, in hundredths of an edit. */
const LIMITS = [0, 0, 0, 0, 0, 95, 120, 130, 160, 165, 180];

/** How much may be wrong with a label: more in a long one, and in one that many people type. */
function readLimit(family: ProviderFamily): number {
  const { label, weight, isWord } = family;
  if (isWord && weight >= 40 && label.length > 5) return GREAT_WORD_LIMIT;
  if (isWord || believesOnlySlips(family)) return SLIP_LIMIT;
  return (LIMITS[Math.min(label.length, LIMITS.length - 1)] as number) + readPopularityBonus(weight);
}

function readPopularityBonus(weight: number): number {
  if (weight >= 1000) return 35;
  if (weight >= 300) return 25;
  if (weight >= 100) return 20;
  if (weight >= 20) return 0;
  return weight >= 8 ? -30 : -70;
}

/** The right label with a wrong suffix: the nearest real one, of several providers under that label the greatest's if about as near. */
function findSuffix(families: ProviderFamily[], suffix: TypedSuffix): ProviderMatch | null {
  let best: ProviderMatch | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const family of families) {
    const ending = pickSuffix(family, suffix, 'exact');
    if (ending === null || ending.cost === 0) continue;
    const score = ending.cost - readPrior(family);
    if (score >= bestScore) continue;
    bestScore = score;
    best = { domain: `${family.label}.${ending.suffix}`, cost: ending.cost };
  }
  return best;
}

/** What a provider's share of all addresses has in its favour, in hundredths of an edit. */
function readPrior({ weight }: ProviderFamily): number {
  return 12 * Math.log10(weight);
}
