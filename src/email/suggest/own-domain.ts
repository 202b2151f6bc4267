/**
 * The background: the improbability of a domain that is not mistyped, but one of its own. Costs are negative
 * logarithms of probabilities in hundredths.
 */
import rates from './typo-rates.json' with { type: 'json' };
import { isCountrySuffix, type TypedSuffix } from './suffix-channel.ts';
import type { ProviderFamily, SuggestionIndex } from './suggestion-index.ts';

/** The parameters of the model. `bench/email` has what they lead to. */
export const OWN = {
  /** A domain of its own; what the letters of its name are worth. */
  any: 100,
  letters: 1.1,
  /** The same for a long name, in which the letters of several words meet. */
  long: 1550,
  longLetters: 0.4,
  /** Domains that refuse mail are rarer by this. */
  refusing: 120,
  /** A host below a domain is rarer by this. */
  host: 1200,
  /** A suffix that does not exist. */
  nonexistent: 3500,
  /** The name of a provider under another suffix, with another owner; what its letters are worth. */
  sameName: 800,
  sameNameLetters: 0.6,
  sameNameMost: 1600,
  /** Another domain of a provider of several. */
  sameProvider: 1200,
  besideSecondLevel: 400,
  /** The most for names that end in `mail`, `cloud` or `online`, as those of services do. */
  service: 1950,
  /** Suffixes other than .com are rarer by this. */
  generic: 200,
  country: 300,
  smallCountry: 450,
  rareSuffix: 500,
};

/** The ends of a name, `a` to `z`, any other character. */
export const LETTER_CLASSES = 28;
/** Not with a number before a longer name, which is typed by accident: `1005hotmail`. */
const SERVICE = /^(?![0-9]+[a-z]{5}).*(?:mail|cloud|online)$/;
const HYPHEN = 0x2d;
const PAIR_COSTS = rates.pairs.map((row) => Array.from(row, (digit) => Number.parseInt(digit, 36) * 25));

/** Returns the row and column of a letter in `typo-rates.json`; a hyphen ends a word, as no letter does. */
export function getLetterClass(unit: number): number {
  if (Number.isNaN(unit) || unit === HYPHEN) return 0;
  return unit >= 0x61 && unit <= 0x7a ? unit - 0x60 : LETTER_CLASSES - 1;
}

export const ONE_OF_TEN = 230;

/** Computes the cost of the letters of a name: short names and words are common. */
function computeNameCost(name: string): number {
  let before = 0;
  let cost = 0;
  for (let at = 0; at <= name.length; at++) {
    const letter = getLetterClass(name.charCodeAt(at));
    cost += PAIR_COSTS[before]?.[letter] ?? 0;
    if (letter === LETTER_CLASSES - 1) cost += ONE_OF_TEN;
    before = letter;
  }
  return cost;
}

/** Computes the cost of the typed domain being one of its own, by its name, its suffix and DNS. */
export function computeOwnCost(
  { families, rarity }: SuggestionIndex,
  label: string,
  suffix: TypedSuffix,
  refusesMail: boolean,
): number {
  if (!suffix.hasRealTopLevel) return OWN.nonexistent;
  const refusing = refusesMail ? OWN.refusing : 0;
  const name = computeNameCost(label);
  const named = families.get(label);
  const same = (named ?? []).map((family) => computeSameProviderCost(family, suffix.word, rarity));
  const rare = getSuffixRarity(suffix.word, named !== undefined) + refusing;
  const beside = Math.max(refusing, rare - OWN.generic);
  if (!suffix.isReal) {
    return Math.min(OWN.any + OWN.letters * name + OWN.host + refusing, Math.min(...same) + beside);
  }
  if (named === undefined) {
    const most = SERVICE.test(label) ? OWN.service : Number.POSITIVE_INFINITY;
    return Math.min(OWN.any + OWN.letters * name, OWN.long + OWN.longLetters * name, most) + rare;
  }
  return Math.min(OWN.sameNameMost, OWN.sameName + OWN.sameNameLetters * name, ...same) + beside;
}

/** Computes the cost of a domain of the same provider that is not on its list. */
function computeSameProviderCost(
  { label, suffixes }: ProviderFamily,
  suffix: string,
  rarity: SuggestionIndex['rarity'],
): number {
  if (suffixes.length === 1 || !isCountrySuffix(suffix)) return Number.POSITIVE_INFINITY;
  const cost = (rarity.get(`${label}.${suffixes[0]}`) as number) + OWN.sameProvider;
  // A provider with `com.ar` hardly has `ar` too.
  const country = suffix.slice(suffix.indexOf('.') + 1);
  return suffixes.some((own) => own.endsWith(`.${country}`)) ? cost + OWN.besideSecondLevel : cost;
}

/** Suffixes of few domains: some countries, those that register a level below, and most generic ones. */
const RARE_SUFFIXES = /(?:^|\.)(?:bt|cm|cx|et|gq|jo|kp|mo|ne|nr|om)$|^(?:au|br|nz|uk|za|[a-z]{3,})$/;

/** Countries with more than one in a hundred of all registered domains. */
const LARGE_COUNTRIES = /(?:^|\.)(?:au|be|br|ca|ch|cn|de|es|eu|fr|in|it|jp|nl|pl|ru|se|uk)$/;

function getSuffixRarity(suffix: string, isNamed: boolean): number {
  if (suffix === 'com') return 0;
  if (suffix === 'net' || suffix === 'org') return OWN.generic;
  if (RARE_SUFFIXES.test(suffix)) return OWN.rareSuffix;
  return isNamed || LARGE_COUNTRIES.test(suffix) ? OWN.country : OWN.smallCountry;
}
