import { computeEditCost } from './edit-cost.ts';
import type { ProviderFamily } from './provider-families.ts';
import { computeSuffixCost, MAX_SUFFIX_COST, type TypedSuffix } from './suffix-cost.ts';

/** How sure the label is: as typed, one slip of the finger away, or further. */
export type LabelMatch = 'exact' | 'certain' | 'likely';

/** A suffix of a provider, and what it takes to have mistyped it, in hundredths of an edit. */
export interface Ending {
  suffix: string;
  cost: number;
}

/** Of two candidates about as near, neither is suggested. */
export const CLEAR_MARGIN = 12;
/** Weight from which a label is nobody else's, whatever stands after it. */
const FAMOUS_WEIGHT = 250;
const SOLE_SUFFIX_WEIGHT = 400;
const MAX_STRAY_SUFFIX = 6;
const MAX_HEAD_COST = 100;
const MIN_LABEL_LENGTH = 3;
/** From this length on a label is hardly anybody else's. */
const LONG_LABEL = 8;

/** The suffix of the family that was meant, and what it takes; null where none is near or two are. */
export function pickSuffix(family: ProviderFamily, suffix: TypedSuffix, label: LabelMatch): Ending | null {
  const { suffixes, weight } = family;
  const isExactLabel = label === 'exact';
  const isFamous = label !== 'likely' && weight >= FAMOUS_WEIGHT && family.label.length >= 5;
  let best: Ending | null = null;
  let second = Number.POSITIVE_INFINITY;
  for (let at = 0; at < suffixes.length; at++) {
    const meant = suffixes[at] as string;
    const cost = computeSuffixCost(suffix, meant, isFamous);
    if (cost === 0) return { suffix: meant, cost };
    if (cost > MAX_SUFFIX_COST) continue;
    const ranked = cost + (RARITY[at] ?? RAREST);
    if (best === null || ranked < best.cost) {
      second = best?.cost ?? second;
      best = { suffix: meant, cost: ranked };
    } else if (ranked < second) second = ranked;
  }
  if (best === null) return isExactLabel ? pickSoleSuffix(family, suffix) : null;
  if (suffix.isReal && weight < readRealSuffixWeight(family, suffix.text, isExactLabel)) return null;
  return second - best.cost < CLEAR_MARGIN ? null : best;
}

/** What a suffix further down a provider's list has against it, in hundredths of an edit. */
const RARITY = [0, 15, 22, 30, 38];
const RAREST = 45;

/** Ends of small countries, one key away from a great one: hardly anybody means them. */
const NEAR_NET: ReadonlySet<string> = new Set(['ne', 'et']);
const NEAR_COM: ReadonlySet<string> = new Set(['cm', 'om']);

/** How known a provider must be for a suffix that exists to be taken for its own. */
function readRealSuffixWeight(family: ProviderFamily, suffix: string, isExactLabel: boolean): number {
  const { label, suffixes, isWord } = family;
  const isRare = isExactLabel && (NEAR_NET.has(suffix) || NEAR_COM.has(suffix));
  if (isWord) {
    if (!isRare || suffixes.length > 1) return Number.POSITIVE_INFINITY;
    return NEAR_NET.has(suffix) ? 20 : 60;
  }
  if (label.length < MIN_LABEL_LENGTH) return isRare ? 100 : Number.POSITIVE_INFINITY;
  if (suffix === 'uk') return 100;
  if (isRare) return 3;
  if (isExactLabel && label.length >= LONG_LABEL) return 5;
  return isExactLabel || label.length >= LONG_LABEL ? 20 : 100;
}

/** A provider with one domain, whose label nobody else bears: the end is wrong, whatever it is. */
function pickSoleSuffix({ suffixes, weight, isWord }: ProviderFamily, suffix: TypedSuffix): Ending | null {
  const [sole] = suffixes;
  if (suffixes.length > 1 || sole === undefined) return null;
  if (suffix.isReal) {
    return weight >= SOLE_SUFFIX_WEIGHT && isCountrySuffix(suffix.text) ? { suffix: sole, cost: 70 } : null;
  }
  return weight >= 20 && !isWord && isStray(suffix.text, sole) ? { suffix: sole, cost: 100 } : null;
}

/** Whether a suffix that does not exist is a broken one, not a domain that somebody has a host under. */
function isStray(suffix: string, meant: string): boolean {
  if (suffix.length > MAX_STRAY_SUFFIX) return false;
  const dot = suffix.indexOf('.');
  if (dot === -1) return true;
  const head = suffix.slice(0, dot);
  return meant.includes(head) || computeEditCost(head, meant, MAX_HEAD_COST) <= MAX_HEAD_COST;
}

/** Country ends under which people think of their country, not those that are sold to everybody. */
function isCountrySuffix(suffix: string): boolean {
  return (suffix.length === 2 && !SOLD_TO_ALL.has(suffix)) || suffix.includes('.');
}

const SOLD_TO_ALL: ReadonlySet<string> = new Set('ai cc fm gg io me sh so to tv ws'.split(' '));
