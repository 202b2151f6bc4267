import {
  computeTypoCost,
  getOtherCost,
  type OtherError,
  type PreparedWord,
  prepareWord,
} from './edit-cost.ts';
import { getLetterSet } from './suggestion-index.ts';

/** A suffix as typed. */
export interface TypedSuffix extends PreparedWord {
  /** Others register under it, so it may be meant. */
  isReal: boolean;
  /** Its last label is a top-level domain. */
  hasRealTopLevel: boolean;
}

/** Prepares a suffix as typed for `computeSuffixCost`. */
export function createTypedSuffix(text: string, isReal: boolean, hasRealTopLevel: boolean): TypedSuffix {
  return { ...prepareWord(text, true, true), isReal, hasRealTopLevel };
}

const GENERIC: ReadonlySet<string> = new Set(['org', 'net', 'info', 'biz']);
/** Countries whose suffix is sold worldwide, so that it is not typed for a country. */
const SOLD_WORLDWIDE: ReadonlySet<string> = new Set('ai cc fm gg io me sh so to tv ws'.split(' '));
const SECOND_LEVEL = /^(?:com?|net|org|(?:ne|or)(?=\.jp))\.([a-z]{2})$/;
/** The number of suffixes that such an error may lead to. */
const ALTERNATIVES = new Map<OtherError, number>([
  ['otherCountry', 40],
  ['addedCountry', 20],
  ['otherGeneric', 2],
]);

/** More letters are not forgotten: `mail.tel` is not `mail.telepac.pt`. */
const MAX_CUT = 4;

/** Returns true for suffixes that people use for their country, not those that are sold worldwide. */
export function isCountrySuffix(text: string): boolean {
  return (text.length === 2 && !SOLD_WORLDWIDE.has(text)) || SECOND_LEVEL.test(text);
}

/** Names the error of a suffix typed for another one; null if only their letters can tell. */
export function classifySuffixError(text: string, meant: string, isSole: boolean): OtherError | null {
  const country = SECOND_LEVEL.exec(text)?.[1];
  if (meant.startsWith(`${text}.`)) return 'missingCountry';
  if (meant.startsWith(text) && meant.length - text.length <= MAX_CUT) return 'cutSuffix';
  if (meant.endsWith(`.${text}`)) return 'missingSecondLevel';
  if (meant === country) return 'needlessSecondLevel';
  if (country !== undefined && SECOND_LEVEL.exec(meant)?.[1] === country) return 'otherSecondLevel';
  if (text === meant + meant || text === `${meant}.com` || isRepeated(text, meant)) return 'repeatedSuffix';
  if (text.startsWith(`${meant}.`)) {
    const added = text.slice(meant.length + 1);
    if (meant.includes(added)) return 'repeatedSuffix';
    return isSole && added.length === 2 ? 'addedCountry' : null;
  }
  if (meant === 'com' && GENERIC.has(text)) return 'otherGeneric';
  return isSole && isCountrySuffix(text) ? 'otherCountry' : null;
}

/** True for `con.com` and `co.com` in place of `com`. */
function isRepeated(text: string, meant: string): boolean {
  const isNear = text.charAt(0) === meant.charAt(0) && text.length <= 2 * meant.length + 1;
  return isNear && text.endsWith(`.${meant}`);
}

/** Computes the cost of typing a suffix for `meant`; infinite if it was not. */
export function computeSuffixCost(typed: TypedSuffix, meant: string, isSole: boolean, limit: number): number {
  if (typed.word === meant) return 0;
  const error = classifySuffixError(typed.word, meant, isSole);
  const whole =
    error === null
      ? Number.POSITIVE_INFINITY
      : getOtherCost(error) + 100 * Math.log(ALTERNATIVES.get(error) ?? 1);
  // Of several suffixes, the nearest to one without any of its letters is a coincidence: `outlook.xx`.
  const isFar = !isSole && (getLetterSet(typed.word) & getLetterSet(meant)) === 0;
  const letters = isFar ? Number.POSITIVE_INFINITY : computeTypoCost(typed, prepare(meant), limit);
  return Math.min(whole, letters > limit ? Number.POSITIVE_INFINITY : letters);
}

const prepared = new Map<string, PreparedWord>();

/** The suffixes of providers are few, so each is prepared once. */
function prepare(suffix: string): PreparedWord {
  let word = prepared.get(suffix);
  if (word === undefined) {
    word = prepareWord(suffix, false, true);
    prepared.set(suffix, word);
  }
  return word;
}
