import { computeEditCost } from './edit-cost.ts';

/** Suffixes that exist and are typed for another one all the same: what was meant, and what it takes, in hundredths of an edit. */
const LOOKALIKES = new Map<string, Record<string, number>>(
  Object.entries({
    co: { com: 40 },
    cm: { com: 40 },
    om: { com: 40 },
    cam: { com: 50 },
    mo: { com: 70 },
    ne: { net: 50, me: 70 },
    et: { net: 50 },
    bet: { net: 80 },
    uk: { 'co.uk': 60 },
    br: { 'com.br': 60 },
    au: { 'com.au': 60 },
    nz: { 'co.nz': 60 },
    za: { 'co.za': 60 },
    jp: { 'co.jp': 60, 'ne.jp': 60 },
    kr: { 'co.kr': 60 },
    tr: { 'com.tr': 60 },
  }),
);
/** Ends of small countries, a key beside a great one's. */
const NEAR_COUNTRIES = new Map(Object.entries({ bt: 'br', nr: 'br', cx: 'cz', jo: 'jp', kp: 'jp' }));
/** Generic ends typed for `.com` where the label is one that nobody else bears. */
const GENERIC = new Set(['org', 'net', 'info', 'biz']);
const SECOND_LEVEL = /^(?:com|co|net|org|(?:ne|or)(?=\.jp))\.([a-z]{2})$/;

/** Beyond this no suffix is taken for another. */
export const MAX_SUFFIX_COST = 180;

/** What is known of a typed suffix: whether others register under it, so that it may be meant as it is. */
export interface TypedSuffix {
  text: string;
  isReal: boolean;
}

/**
 * What it takes to have typed one suffix for `meant`, in hundredths of an edit; over `MAX_SUFFIX_COST` where it was not.
 * A suffix that does not exist is judged by its letters, one that exists only by the known confusions.
 */
export function computeSuffixCost(typed: TypedSuffix, meant: string, isFamous: boolean): number {
  const { text } = typed;
  if (text === meant) return 0;
  const known = LOOKALIKES.get(text)?.[meant];
  if (known !== undefined) return known;
  const country = SECOND_LEVEL.exec(text)?.[1];
  if (country !== undefined) {
    if (meant === `co.${country}` || meant === `com.${country}` || meant === `ne.${country}`) return 50;
    if (meant === country) return 70;
  }
  if (meant.startsWith(`${text}.`)) return 60;
  const near = NEAR_COUNTRIES.get(text.slice(-2));
  if (near !== undefined && meant === text.slice(0, -2) + near) return 70;
  if (!typed.isReal) return computeUnrealCost(text, meant);
  return isFamous && meant === 'com' && GENERIC.has(text) ? 60 : MAX_SUFFIX_COST + 1;
}

function computeUnrealCost(text: string, meant: string): number {
  if (text.startsWith(`${meant}.`) && meant.includes(text.slice(meant.length + 1))) return 60;
  if (text === `${meant}${meant}` || text === `${meant}.com`) return 60;
  // Of one letter any may be the one that is there, most likely the first; of two the swap is the likeliest slip.
  if (text.length === 1) {
    if (meant.startsWith(text)) return 90;
    return meant.length === 2 && meant.endsWith(text) ? 100 : MAX_SUFFIX_COST + 1;
  }
  if (text.length === 2 && meant.length === 2 && text[0] === meant[1] && text[1] === meant[0]) return 50;
  return computeEditCost(text, meant, MAX_SUFFIX_COST);
}
