import { computeEditCost } from './edit-cost.ts';
import { LETTER_RULES, SUFFIX_CONFUSIONS, SUFFIX_RULES } from './rules.ts';

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
