/** The knowledge beside the counted errors: spellings by ear, and confidences. */

/** A label as meant, as spelled by ear or with a word added, the error, and an example. */
export const RESPELLINGS: readonly [
  meant: RegExp,
  typed: string,
  error: 'byEar' | 'wordAdded',
  example: string,
][] = [
  [/ail$/, 'ale', 'byEar', 'gmail → gmale'],
  [/ail$/, 'ayl', 'byEar', 'gmail → gmayl'],
  [/x$/, 'ks', 'byEar', 'yandex → yandeks'],
  [/oud$/, 'ould', 'byEar', 'icloud → iclould'],
  [/oud$/, 'owd', 'byEar', 'icloud → iclowd'],
  [/ook$/, 'uk', 'byEar', 'outlook → outluk'],
  [/oo$/, 'u', 'byEar', 'yahoo → yahu'],
  [/^y/, 'i', 'byEar', 'yahoo → iahoo'],
  [/^y/, 'j', 'byEar', 'yandex → jandex'],
  [/al$/, 'le', 'byEar', 'sbcglobal → sbcgloble'],
  [/ph/, 'f', 'byEar', 'euphony → eufony'],
  [/f/, 'ph', 'byEar', 'fastmail → phastmail'],
  [/ck/, 'k', 'byEar', 'rocketmail → roketmail'],
  [/c(?=[aou])/, 'k', 'byEar', 'comcast → komcast'],
  [/^(?:yahoo|outlook|icloud|hotmail)$/, '$&mail', 'wordAdded', 'yahoo → yahoomail'],
];

/** The confidence of corrections that no cost is computed for, 0 to 1. */
export const CONFIDENCE = {
  /** gamil.com → gmail.com */
  knownTypo: 0.99,
  /** www.gmail.com → gmail.com */
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
