/**
 * The rules of typing errors. Costs are in hundredths of an edit: one letter too many costs 100.
 * `rules.test.ts` computes the cost of each example.
 */

/** An error: what it costs, and an example as typed and as meant. */
export interface Rule {
  cost: number;
  typed: string;
  meant: string;
}

/** Errors in the letters of a label or of a suffix that does not exist. The cheapest combination counts. */
export const LETTER_RULES = {
  doubledLetter: { cost: 60, typed: 'gmaill', meant: 'gmail' },
  oneOfPairMissing: { cost: 60, typed: 'outlok', meant: 'outlook' },
  similarShape: { cost: 60, typed: 'gmai1', meant: 'gmail' },
  swappedLetters: { cost: 70, typed: 'gmial', meant: 'gmail' },
  adjacentKey: { cost: 70, typed: 'gmqil', meant: 'gmail' },
  adjacentKeyToo: { cost: 80, typed: 'gmailk', meant: 'gmail' },
  otherVowel: { cost: 80, typed: 'gmeil', meant: 'gmail' },
  missingVowel: { cost: 80, typed: 'gmil', meant: 'gmail' },
  similarSound: { cost: 85, typed: 'outlooc', meant: 'outlook' },
  missingLetter: { cost: 90, typed: 'gmai', meant: 'gmail' },
  extraLetter: { cost: 100, typed: 'gmaxil', meant: 'gmail' },
  otherLetter: { cost: 110, typed: 'gmxil', meant: 'gmail' },
  /** A letter two places early or late, or two letters swapped around a third. */
  movedLetter: { cost: 110, typed: 'gmila', meant: 'gmail' },
  /** A vowel on the wrong side of a consonant, and another one. */
  swappedOtherVowel: { cost: 150, typed: 'gimil', meant: 'gmail' },
} as const satisfies Record<string, Rule>;

/**
 * Added to `of` for an error in the first letter: people seldom get it wrong, and words that differ there are
 * other words.
 */
export const FIRST_LETTER_RULES = {
  swapped: { cost: 10, of: 'swappedLetters', typed: 'mgail', meant: 'gmail' },
  nearby: { cost: 20, of: 'adjacentKey', typed: 'hmail', meant: 'gmail' },
  extra: { cost: 20, of: 'extraLetter', typed: 'xgmail', meant: 'gmail' },
  missing: { cost: 20, of: 'missingLetter', typed: 'mail', meant: 'gmail' },
  far: { cost: 40, of: 'otherLetter', typed: 'xmail', meant: 'gmail' },
} as const satisfies Record<string, Rule & { of: keyof typeof LETTER_RULES }>;

/** Errors in a suffix. Suffixes that exist are corrected only by these rules and by `SUFFIX_CONFUSIONS`. */
export const SUFFIX_RULES = {
  otherSecondLevel: { cost: 50, typed: 'com.uk', meant: 'co.uk' },
  /** The most that an error before the country costs. */
  brokenSecondLevel: { cost: 60, typed: 'om.br', meant: 'com.br' },
  needlessSecondLevel: { cost: 70, typed: 'com.de', meant: 'de' },
  missingCountry: { cost: 60, typed: 'co', meant: 'co.uk' },
  adjacentCountry: { cost: 70, typed: 'bt', meant: 'br' },
  /** Only of a famous provider. */
  genericForCom: { cost: 60, typed: 'org', meant: 'com' },
  repeated: { cost: 60, typed: 'com.com', meant: 'com' },
  doubled: { cost: 60, typed: 'comcom', meant: 'com' },
  comAdded: { cost: 60, typed: 'fr.com', meant: 'fr' },
  swappedLetters: { cost: 50, typed: 'ed', meant: 'de' },
  firstLetterAlone: { cost: 90, typed: 'c', meant: 'com' },
  lastLetterAlone: { cost: 100, typed: 'e', meant: 'de' },
} as const satisfies Record<string, Rule>;

/** Errors in a suffix that is unlike each of the provider's, if the provider has only one. */
export const SOLE_SUFFIX_RULES = {
  /** Only of the most popular providers. */
  country: { cost: 70, typed: 'gmail.fr', meant: 'gmail.com' },
  nonexistent: { cost: 100, typed: 'gmail.qqqq', meant: 'gmail.com' },
} as const satisfies Record<string, Rule>;

/** Suffixes that exist, but are typed for another one: typed → meant → cost. */
export const SUFFIX_CONFUSIONS: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map(
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
    'cim.br': { 'com.br': 60 },
  }),
);

/** Added to the cost of a suffix by its place in the provider's list, commonest first. */
export const RARITY_COSTS: readonly number[] = [0, 15, 22, 30, 38];
export const RAREST_COST = 45;

/** Spellings by ear: an ending or letter as meant, as typed, and an example. Each costs `RESPELLING_COST`. */
export const RESPELLING_COST = 65;
export const RESPELLINGS: readonly [meant: RegExp, typed: string, example: string][] = [
  [/ail$/, 'ale', 'gmail → gmale'],
  [/ail$/, 'ayl', 'gmail → gmayl'],
  [/x$/, 'ks', 'yandex → yandeks'],
  [/oud$/, 'ould', 'icloud → iclould'],
  [/oud$/, 'owd', 'icloud → iclowd'],
  [/ook$/, 'uk', 'outlook → outluk'],
  [/ook$/, 'uck', 'outlook → outluck'],
  [/oo$/, 'u', 'yahoo → yahu'],
  [/^y/, 'i', 'yahoo → iahoo'],
  [/^y/, 'j', 'yandex → jandex'],
  [/al$/, 'le', 'sbcglobal → sbcgloble'],
  [/ph/, 'f', 'euphony → eufony'],
  [/f/, 'ph', 'fastmail → phastmail'],
  [/ck/, 'k', 'rocketmail → roketmail'],
  [/c(?=[aou])/, 'k', 'comcast → komcast'],
  [/^(?:yahoo|outlook|icloud)$/, '$&mail', 'yahoo → yahoomail'],
];

/**
 * Top-level domains that a nonexistent one is corrected to, and what is added to the cost of the rarer ones.
 */
export const COMMON_TOP_LEVELS: readonly [name: string, cost: number][] = [
  ['com', 0],
  ['net', 10],
  ['org', 10],
  ['edu', 20],
  ['gov', 30],
  ['info', 30],
];

/** The confidence of corrections that are not found by cost, 0 to 1. */
export const CONFIDENCE = {
  /** gamil.com → gmail.com */
  knownTypo: 0.99,
  /** hotmailc.om → hotmail.com */
  movedDot: 0.97,
  /** xn--gmil-63d.com (gmäil.com) → gmail.com */
  confusable: 0.95,
  /** gmail → gmail.com */
  missingSuffix: 0.9,
  /** <ann@example.org> → ann@example.org */
  unwrapped: 0.9,
  /** acme.con → acme.com */
  topLevel: 0.85,
} as const;

/** Added to the cost of a domain without a dot: `gmialcom`, `gmial`. */
export const MISSING_DOT_COST = 20;
export const MISSING_SUFFIX_COST = 30;

/** Computes the confidence of a correction by its cost: 0.98 without one, at least 0.5. */
export function computeConfidence(cost: number): number {
  return Math.round(Math.max(0.5, 0.98 - cost / 500) * 100) / 100;
}
