import type { ProviderFamily } from './provider-families.ts';
import { RAREST_COST, RARITY_COSTS, SOLE_SUFFIX_RULES } from './rules.ts';
import { computeSuffixCost, type TypedSuffix } from './suffix-cost.ts';
import type { Thresholds } from './thresholds.ts';

/** A suffix of a provider that was probably meant, and the cost of the error in hundredths of an edit. */
export interface SuffixMatch {
  suffix: string;
  cost: number;
}

/** Finds the suffix of the family that was meant; null if none is near, or two are about as near. */
export function findSuffix(
  family: ProviderFamily,
  suffix: TypedSuffix,
  isExactLabel: boolean,
  thresholds: Thresholds,
): SuffixMatch | null {
  const { label, suffixes, weight } = family;
  const { clearMargin, famousLength, famousWeight, maxSuffixCost } = thresholds;
  const isFamous = isExactLabel && weight >= famousWeight && label.length >= famousLength;
  let best: SuffixMatch | null = null;
  let second = Number.POSITIVE_INFINITY;
  for (let at = 0; at < suffixes.length; at++) {
    const meant = suffixes[at] as string;
    const cost = computeSuffixCost(suffix, meant, isFamous, maxSuffixCost);
    if (cost === 0) return { suffix: meant, cost };
    if (cost > maxSuffixCost) continue;
    const ranked = cost + (RARITY_COSTS[at] ?? RAREST_COST);
    if (best === null || ranked < best.cost) {
      second = best?.cost ?? second;
      best = { suffix: meant, cost: ranked };
    } else if (ranked < second) second = ranked;
  }
  if (best === null) return isExactLabel ? findSoleSuffix(family, suffix, thresholds) : null;
  if (suffix.isReal && weight < getMinWeight(family, suffix.text, isExactLabel, thresholds)) return null;
  return second - best.cost < clearMargin ? null : best;
}

/** Suffixes of small countries, one letter away from `.net` and `.com`. */
const NEAR_NET: ReadonlySet<string> = new Set(['ne', 'et']);
const NEAR_COM: ReadonlySet<string> = new Set(['cm', 'om']);

/** Suffixes of few domains, one key away from `com.br`. */
const NEAR_COM_BR: ReadonlySet<string> = new Set(['com.bt', 'cim.br']);
/** Suffixes under which others own the names of providers of a country: `tpg.com`, `iinet.net`. */
const WORLDWIDE: ReadonlySet<string> = new Set(['com', 'net', 'org']);

const MIN_LABEL_LENGTH = 3;

/** Returns the least weight of a provider for which a suffix that exists is corrected. */
function getMinWeight(
  { label, suffixes, isWord }: ProviderFamily,
  suffix: string,
  isExactLabel: boolean,
  thresholds: Thresholds,
): number {
  const isNear = isExactLabel && (NEAR_NET.has(suffix) || NEAR_COM.has(suffix));
  if (isWord) {
    if (isExactLabel && NEAR_COM_BR.has(suffix)) return thresholds.suffixNearComOfWord;
    if (!isNear || suffixes.length > 1) return Number.POSITIVE_INFINITY;
    return NEAR_NET.has(suffix) ? thresholds.suffixNearNetOfWord : thresholds.suffixNearComOfWord;
  }
  if (label.length < MIN_LABEL_LENGTH)
    return isNear ? thresholds.suffixOfShortLabel : Number.POSITIVE_INFINITY;
  if (suffix === 'uk') return thresholds.suffixUk;
  // Companies everywhere have short names under it: `sohu.co`.
  if (suffix === 'co' && label.length <= thresholds.slipOnlyLength) return thresholds.suffixOfShortLabel;
  if (WORLDWIDE.has(suffix) && !suffixes.some((own) => WORLDWIDE.has(own))) return thresholds.suffixWorldwide;
  if (isNear) return thresholds.suffixNearNetOrCom;
  const isLong = label.length >= thresholds.longLabelLength;
  if (isExactLabel && isLong) return thresholds.suffixOfLongExactLabel;
  return isExactLabel || isLong ? thresholds.suffixOfLongOrExactLabel : thresholds.suffixOther;
}

/**
 * Finds the only suffix of a provider whose label is hardly used by others; null if the typed one may be
 * meant.
 */
function findSoleSuffix(
  { suffixes, weight, isWord }: ProviderFamily,
  suffix: TypedSuffix,
  thresholds: Thresholds,
): SuffixMatch | null {
  const [sole] = suffixes;
  if (suffixes.length > 1 || sole === undefined) return null;
  if (suffix.isReal) {
    const isMeant = weight >= thresholds.soleSuffixWeight && isCountrySuffix(suffix.text);
    return isMeant ? { suffix: sole, cost: SOLE_SUFFIX_RULES.country.cost } : null;
  }
  const isPopular = weight >= thresholds.soleSuffixWeightIfNonexistent && !isWord;
  const isMeant = isPopular && isBroken(suffix.text, sole, thresholds.maxBrokenSuffixLength);
  return isMeant ? { suffix: sole, cost: SOLE_SUFFIX_RULES.nonexistent.cost } : null;
}

/** Returns true if a suffix that does not exist is an error for `meant`, not a host name below a domain. */
function isBroken(suffix: string, meant: string, maxLength: number): boolean {
  if (suffix.length > maxLength) return false;
  const dot = suffix.indexOf('.');
  return dot === -1 || meant.includes(suffix.slice(0, dot));
}

/** Returns true for suffixes that people use for their country, not those that are sold worldwide. */
function isCountrySuffix(suffix: string): boolean {
  return (suffix.length === 2 && !SOLD_WORLDWIDE.has(suffix)) || SECOND_LEVEL.test(suffix);
}

/** `com.br`, and the countries below `.com`, which a company sells: `uk.com`. */
const SECOND_LEVEL = /^[a-z]{2,3}\.(?:[a-z]{2}|com)$/;

const SOLD_WORLDWIDE: ReadonlySet<string> = new Set('ai cc fm gg io me sh so to tv ws'.split(' '));
