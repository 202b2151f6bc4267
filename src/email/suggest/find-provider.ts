/**
 * The model: the probability that a provider's domain was meant (its share of addresses × the errors, see
 * `edit-cost.ts`), against the others that may have been meant and the domain as typed (`own-domain.ts`).
 */
import { computeTypoCost, getOtherCost, prepareWord, SECOND_ERROR } from './edit-cost.ts';
import { computeOwnCost, ONE_OF_TEN } from './own-domain.ts';
import { computeSuffixCost, type TypedSuffix } from './suffix-channel.ts';
import {
  countMissingLetters,
  getBareName,
  getLetterSet,
  type ProviderFamily,
  type SuggestionIndex,
} from './suggestion-index.ts';

/** The provider's domain that was probably meant. */
export interface ProviderMatch {
  domain: string;
  /** The probability that it was meant, 0 to 1. */
  probability: number;
  /** The misspelling gets enough mail to be registered for it, so that it may accept mail. */
  isWorthRegistering: boolean;
}

/** A domain as typed, split at its first dot. */
interface TypedDomain {
  label: string;
  suffix: TypedSuffix;
  refusesMail: boolean;
}

interface Search {
  index: SuggestionIndex;
  suffix: TypedSuffix;
  /** Costlier meanings change nothing. */
  limit: number;
  /** The costs of the possible meanings, by domain. */
  candidates: Map<string, number>;
}

/** The cost of an error in a domain: one in a hundred has one. */
const ANY_TYPO = 460;
/** Added for a letter of a word, because other words are near. */
const OTHER_WORD = 400;
/** The least weight of a large provider, and the cost of one misspelling in two thousand. */
export const LARGE_WEIGHT = 30;
const RARE_TYPO = 750;

/** Words with more characters that the other one lacks are not compared. */
const MAX_EDITS = 2;
/** Shorter words may differ by two letters in length only if neither has a letter that the other lacks. */
const LONG_WORD_LENGTH = 6;
/** Lower bounds for the cost of a letter that is missing, and of one that the meant word does not have. */
const MIN_MISSING_COST = 290;
const MIN_OTHER_COST = 500;
/** Far-fetched meanings are left out, even if the typed domain cannot exist. */
const MAX_COST = 3300;
/** Among the suffixes of one name, a meaning that is costlier than the typed domain by this counts too. */
const MARGIN = 300;
/** Shorter names with a number before them are those of others: `24live.it`. */
const DIGITS_BEFORE = /^[0-9]{1,6}(?=[a-z]{5})/;
/** The places where a dot may be. */
const DOT_PLACES = 200;

/** Finds the provider whose domain was mistyped; null if none can have been meant. */
export function findProvider(
  index: SuggestionIndex,
  { label, suffix, refusesMail }: TypedDomain,
): ProviderMatch | null {
  const own = computeOwnCost(index, label, suffix, refusesMail);
  const families = index.families.get(label);
  const limit = Math.min(MAX_COST, own + (families === undefined ? 0 : MARGIN));
  const search: Search = { index, suffix, limit, candidates: new Map() };
  if (families !== undefined) for (const family of families) addFamily(search, family, 0);
  else {
    addTargets(search, label);
    const digits = DIGITS_BEFORE.exec(label)?.[0] ?? '';
    const cost = getOtherCost('digitsBefore') + ONE_OF_TEN * digits.length;
    const named = digits === '' ? [] : (index.families.get(label.slice(digits.length)) ?? []);
    for (const family of named) addFamily(search, family, cost);
  }
  addMovedDots(search, label);
  return judge(search, own);
}

/** Compares the label with the words that are near it. */
function addTargets(search: Search, label: string): void {
  const typed = prepareWord(label, true, false);
  const letters = getLetterSet(label);
  for (let length = Math.max(0, label.length - MAX_EDITS); length <= label.length + MAX_EDITS; length++) {
    for (const target of search.index.targets[length] ?? []) {
      const missing = countMissingLetters(letters, target.letters);
      if (missing > MAX_EDITS) continue;
      if (missing > 0 && length < LONG_WORD_LENGTH && Math.abs(length - label.length) > 1) continue;
      const rest = search.limit - ANY_TYPO - target.least;
      const least = (letters & ~target.letters) === 0 ? MIN_MISSING_COST : MIN_OTHER_COST;
      if (missing * (least + SECOND_ERROR) > rest + SECOND_ERROR) continue;
      const cost = computeTypoCost(typed, target, rest);
      if (cost <= rest) addFamily(search, target.family, target.cost + cost);
    }
  }
}

/** Adds the domains of a family whose label was mistyped at `labelCost`. */
function addFamily(search: Search, { label, suffixes, isWord }: ProviderFamily, labelCost: number): void {
  const { index, suffix, limit } = search;
  const base = ANY_TYPO + labelCost + (isWord && suffix.isReal && labelCost > 0 ? OTHER_WORD : 0);
  // A word is the name of others in other countries: `mail.uk`.
  const isSole = suffixes.length === 1 && !isWord;
  // With an error in the label and a suffix of the provider's own, no other suffix was meant.
  for (const meant of suffixes.includes(suffix.word) ? [suffix.word] : suffixes) {
    const domain = `${label}.${meant}`;
    const before = base + (index.rarity.get(domain) as number);
    if (before > limit) continue;
    const cost = computeSuffixCost(suffix, meant, isSole, limit - before);
    if (cost === 0 && labelCost === 0) continue;
    addCandidate(search, domain, before + cost + (cost > 0 && labelCost > 0 ? SECOND_ERROR : 0));
  }
}

/** Adds the provider whose dot is in another place or missing, or whose suffix is repeated after it. */
function addMovedDots(search: Search, label: string): void {
  const { index, suffix } = search;
  const add = (name: string, cost: number): void => {
    const domain = index.bareNames.get(getBareName(name));
    if (domain === undefined || domain === `${label}.${suffix.word}`) return;
    addCandidate(search, domain, getRarity(index, domain) + cost);
  };
  if (suffix.word !== 'com' || label.includes('-')) {
    add(`${label}.${suffix.word}`, getOtherCost('movedDot') + DOT_PLACES);
  }
  if (label.endsWith(getBareName(suffix.word))) add(label, getOtherCost('repeatedSuffix'));
}

function getRarity({ rarity }: SuggestionIndex, domain: string): number {
  return ANY_TYPO + (rarity.get(domain) as number);
}

function addCandidate({ candidates, limit }: Search, domain: string, cost: number): void {
  const known = candidates.get(domain) ?? Number.POSITIVE_INFINITY;
  if (cost <= limit && cost < known) candidates.set(domain, cost);
}

/** Weighs the likeliest meaning against the others and the typed domain itself. */
function judge({ index, candidates }: Search, own: number): ProviderMatch | null {
  let best: string | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [domain, cost] of candidates) {
    if (cost >= lowest) continue;
    lowest = cost;
    best = domain;
  }
  if (best === null) return null;
  let all = 0;
  for (const cost of candidates.values()) all += Math.exp((lowest - cost) / 100);
  return {
    domain: best,
    probability: 1 / (all + Math.exp((lowest - own) / 100)),
    isWorthRegistering: isWorthRegistering(index, best, lowest - getRarity(index, best)),
  };
}

/** Returns true if a misspelling gets enough mail to be registered for it, as of a large provider. */
function isWorthRegistering({ families }: SuggestionIndex, domain: string, errorCost: number): boolean {
  const [family] = families.get(domain.slice(0, domain.indexOf('.'))) ?? [];
  if (family === undefined || family.weight >= LARGE_WEIGHT) return true;
  return errorCost - (family.isWord ? OTHER_WORD : 0) < RARE_TYPO;
}
