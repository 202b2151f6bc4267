import { computeEditCost } from './edit-cost.ts';
import {
  LETTER_RULES,
  RAREST_COST,
  RARITY_COSTS,
  SOLE_SUFFIX_RULES,
  SUFFIX_CONFUSIONS,
  SUFFIX_RULES,
} from './rules.ts';
import type { ProviderFamily } from './provider-families.ts';
import type { Thresholds } from './thresholds.ts';

/** A suffix as typed. */
export interface TypedSuffix {
  text: string;
  /** Others register under it, so it may be meant. */
  isReal: boolean;
  /** Its last label is a top-level domain. */
  hasRealTopLevel: boolean;
}

/** Small countries, one key beside a large one. */
const ADJACENT_COUNTRIES = new Map(Object.entries({ bt: 'br', nr: 'br', cx: 'cz', jo: 'jp', kp: 'jp' }));
const GENERIC = new Set(['org', 'net', 'info', 'biz']);
const SECOND_LEVEL = /^(?:com|co|net|org|(?:ne|or)(?=\.jp))\.([a-z]{2})$/;

/**
 * Computes the cost of typing a suffix for `meant`, in hundredths of an edit; over `limit` if it was not. A
 * suffix that exists is compared by the rules for suffixes, another one also by its letters.
 */
export function computeSuffixCost(
  typed: TypedSuffix,
  meant: string,
  isFamous: boolean,
  limit: number,
): number {
  const { text } = typed;
  if (text === meant) return 0;
  const confusion = SUFFIX_CONFUSIONS.get(text)?.[meant];
  if (confusion !== undefined) return confusion;
  const country = SECOND_LEVEL.exec(text)?.[1];
  if (country !== undefined) {
    if (meant === `co.${country}` || meant === `com.${country}` || meant === `ne.${country}`) {
      return SUFFIX_RULES.otherSecondLevel.cost;
    }
    if (meant === country) return SUFFIX_RULES.needlessSecondLevel.cost;
  }
  if (meant.startsWith(`${text}.`)) return SUFFIX_RULES.missingCountry.cost;
  const adjacent = ADJACENT_COUNTRIES.get(text.slice(-2));
  if (adjacent !== undefined && meant === text.slice(0, -2) + adjacent) {
    return SUFFIX_RULES.adjacentCountry.cost;
  }
  if (!typed.isReal) return computeNonexistentCost(typed, meant, limit);
  return isFamous && meant === 'com' && GENERIC.has(text)
    ? SUFFIX_RULES.genericForCom.cost
    : Number.POSITIVE_INFINITY;
}

function computeNonexistentCost(
  { text, hasRealTopLevel }: TypedSuffix,
  meant: string,
  limit: number,
): number {
  if (text.startsWith(`${meant}.`) && meant.includes(text.slice(meant.length + 1))) {
    return SUFFIX_RULES.repeated.cost;
  }
  if (text === `${meant}${meant}`) return SUFFIX_RULES.doubled.cost;
  if (text === `${meant}.com`) return SUFFIX_RULES.comAdded.cost;
  if (text.length === 1) {
    if (meant.startsWith(text)) return SUFFIX_RULES.firstLetterAlone.cost;
    return meant.length === 2 && meant.endsWith(text)
      ? SUFFIX_RULES.lastLetterAlone.cost
      : Number.POSITIVE_INFINITY;
  }
  if (isSwappedPair(text, meant)) return SUFFIX_RULES.swappedLetters.cost;
  if (!text.includes('.')) return computeEditCost(text, meant, limit);
  const [before, country] = splitCountry(text);
  const [meantBefore, meantCountry] = splitCountry(meant);
  if (country !== meantCountry) {
    const isMeant =
      isSwappedPair(country, meantCountry) || (!hasRealTopLevel && isNear(country, meantCountry));
    return isMeant ? computeEditCost(text, meant, limit) : Number.POSITIVE_INFINITY;
  }
  const cost = computeEditCost(before, meantBefore, limit);
  return cost > LETTER_RULES.otherLetter.cost ? cost : Math.min(cost, SUFFIX_RULES.brokenSecondLevel.cost);
}

function splitCountry(suffix: string): [before: string, country: string] {
  const dot = suffix.lastIndexOf('.');
  return [suffix.slice(0, Math.max(0, dot)), suffix.slice(dot + 1)];
}

/** Returns true if two codes of countries are a letter apart. */
function isNear(typed: string, meant: string): boolean {
  if (typed.length !== 2 || meant.length !== 2) return true;
  return typed[0] === meant[0] || typed[1] === meant[1];
}

function isSwappedPair(typed: string, meant: string): boolean {
  return typed.length === 2 && meant.length === 2 && typed[0] === meant[1] && typed[1] === meant[0];
}

/** A suffix of a provider that was probably meant, and the cost of the error in hundredths of an edit. */
interface SuffixMatch {
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
  return (suffix.length === 2 && !SOLD_WORLDWIDE.has(suffix)) || SECOND_LEVEL_SUFFIX.test(suffix);
}

/** `com.br`, and the countries below `.com`, which a company sells: `uk.com`. */
const SECOND_LEVEL_SUFFIX = /^[a-z]{2,3}\.(?:[a-z]{2}|com)$/;

const SOLD_WORLDWIDE: ReadonlySet<string> = new Set('ai cc fm gg io me sh so to tv ws'.split(' '));
