import { computeEditCost } from './edit-cost.ts';
import type { ProviderFamily } from './provider-families.ts';
import { RAREST_COST, RARITY_COSTS, SOLE_SUFFIX_RULES } from './rules.ts';
import { computeSuffixCost, MAX_SUFFIX_COST, type TypedSuffix } from './suffix-cost.ts';

/** The certainty of the label: without an error, with a cheap one, or with another one. */
export type LabelCertainty = 'exact' | 'certain' | 'likely';

/** A suffix of a provider that was probably meant, and the cost of the error in hundredths of an edit. */
export interface SuffixMatch {
  suffix: string;
  cost: number;
}

/** Two candidates whose costs differ by less are ambiguous: neither is suggested. */
export const CLEAR_MARGIN = 12;

/** The weight and length from which a label is famous, so that `.org` and the like were typed for `.com`. */
const FAMOUS_WEIGHT = 250;
const FAMOUS_LENGTH = 5;

/** Finds the suffix of the family that was meant; null if none is near, or two are about as near. */
export function findSuffix(
  family: ProviderFamily,
  suffix: TypedSuffix,
  certainty: LabelCertainty,
): SuffixMatch | null {
  const { suffixes, weight } = family;
  const isExactLabel = certainty === 'exact';
  const isFamous = certainty !== 'likely' && weight >= FAMOUS_WEIGHT && family.label.length >= FAMOUS_LENGTH;
  let best: SuffixMatch | null = null;
  let second = Number.POSITIVE_INFINITY;
  for (let at = 0; at < suffixes.length; at++) {
    const meant = suffixes[at] as string;
    const cost = computeSuffixCost(suffix, meant, isFamous);
    if (cost === 0) return { suffix: meant, cost };
    if (cost > MAX_SUFFIX_COST) continue;
    const ranked = cost + (RARITY_COSTS[at] ?? RAREST_COST);
    if (best === null || ranked < best.cost) {
      second = best?.cost ?? second;
      best = { suffix: meant, cost: ranked };
    } else if (ranked < second) second = ranked;
  }
  if (best === null) return isExactLabel ? findSoleSuffix(family, suffix) : null;
  if (suffix.isReal && weight < getMinWeight(family, suffix.text, isExactLabel)) return null;
  return second - best.cost < CLEAR_MARGIN ? null : best;
}

/** Suffixes of small countries, one letter away from `.net` and `.com`. */
const NEAR_NET: ReadonlySet<string> = new Set(['ne', 'et']);
const NEAR_COM: ReadonlySet<string> = new Set(['cm', 'om']);

const MIN_LABEL_LENGTH = 3;
/** A label of this length is hardly used by others. */
const LONG_LABEL_LENGTH = 8;

/** The least weight of a provider for which a suffix that exists is corrected: the domain may be in use. */
const MIN_WEIGHTS = {
  wordNearNet: 20,
  wordNearCom: 60,
  shortLabel: 100,
  uk: 100,
  nearNetOrCom: 3,
  longExactLabel: 5,
  longOrExactLabel: 20,
  other: 100,
};

function getMinWeight(family: ProviderFamily, suffix: string, isExactLabel: boolean): number {
  const { label, suffixes, isWord } = family;
  const isNear = isExactLabel && (NEAR_NET.has(suffix) || NEAR_COM.has(suffix));
  if (isWord) {
    if (!isNear || suffixes.length > 1) return Number.POSITIVE_INFINITY;
    return NEAR_NET.has(suffix) ? MIN_WEIGHTS.wordNearNet : MIN_WEIGHTS.wordNearCom;
  }
  if (label.length < MIN_LABEL_LENGTH) return isNear ? MIN_WEIGHTS.shortLabel : Number.POSITIVE_INFINITY;
  if (suffix === 'uk') return MIN_WEIGHTS.uk;
  if (isNear) return MIN_WEIGHTS.nearNetOrCom;
  const isLong = label.length >= LONG_LABEL_LENGTH;
  if (isExactLabel && isLong) return MIN_WEIGHTS.longExactLabel;
  return isExactLabel || isLong ? MIN_WEIGHTS.longOrExactLabel : MIN_WEIGHTS.other;
}

/** The least weights of a provider whose only suffix is meant by any other one. */
const SOLE_SUFFIX_WEIGHT = 400;
const SOLE_SUFFIX_WEIGHT_IF_NONEXISTENT = 20;

/**
 * Finds the only suffix of a provider whose label is hardly used by others; null if the typed one may be
 * meant.
 */
function findSoleSuffix(
  { suffixes, weight, isWord }: ProviderFamily,
  suffix: TypedSuffix,
): SuffixMatch | null {
  const [sole] = suffixes;
  if (suffixes.length > 1 || sole === undefined) return null;
  if (suffix.isReal) {
    const isMeant = weight >= SOLE_SUFFIX_WEIGHT && isCountrySuffix(suffix.text);
    return isMeant ? { suffix: sole, cost: SOLE_SUFFIX_RULES.country.cost } : null;
  }
  const isMeant = weight >= SOLE_SUFFIX_WEIGHT_IF_NONEXISTENT && !isWord && isBroken(suffix.text, sole);
  return isMeant ? { suffix: sole, cost: SOLE_SUFFIX_RULES.nonexistent.cost } : null;
}

const MAX_BROKEN_LENGTH = 6;
const MAX_HEAD_COST = 100;

/** Returns true if a suffix that does not exist is an error for `meant`, not a host name below a domain. */
function isBroken(suffix: string, meant: string): boolean {
  if (suffix.length > MAX_BROKEN_LENGTH) return false;
  const dot = suffix.indexOf('.');
  if (dot === -1) return true;
  const head = suffix.slice(0, dot);
  return meant.includes(head) || computeEditCost(head, meant, MAX_HEAD_COST) <= MAX_HEAD_COST;
}

/** Returns true for suffixes that people use for their country, not those that are sold worldwide. */
function isCountrySuffix(suffix: string): boolean {
  return (suffix.length === 2 && !SOLD_WORLDWIDE.has(suffix)) || suffix.includes('.');
}

const SOLD_WORLDWIDE: ReadonlySet<string> = new Set('ai cc fm gg io me sh so to tv ws'.split(' '));
