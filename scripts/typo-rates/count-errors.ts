import {
  classifyInsertion,
  classifyOmission,
  classifySubstitution,
  type LetterError,
  type OtherError,
  type Place,
} from '../../src/email/suggest/edit-cost.ts';
import { RESPELLINGS } from '../../src/email/suggest/rules.ts';
import { classifySuffixError } from '../../src/email/suggest/suffix-channel.ts';
import rates from '../../src/email/suggest/typo-rates.json' with { type: 'json' };
import type { TypoPair } from './load-typo-pairs.ts';

const LETTER_ERRORS = Object.keys(rates.letters) as LetterError[];
const OTHER_ERRORS = Object.keys(rates.others) as OtherError[];

/** An error of one key, and where it is. */
interface Slip {
  error: LetterError;
  place: Place;
}

/** The counts of `typo-rates.json`. */
export interface ErrorCounts {
  letters: Record<LetterError, [seen: number, chances: number][]>;
  others: Record<OtherError, [seen: number, typos: number]>;
  errors: [one: number, two: number];
  /** Pairs that differ by more than two errors, which are not counted. */
  left: TypoPair[];
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Lists every word that is one error from `word`, with the error; the first way to make it counts. */
export function listSlips(word: string, isSuffix: boolean): Map<string, Slip> {
  const slips = new Map<string, Slip>();
  const add = (typed: string, error: LetterError, at: number): void => {
    const place = isSuffix ? 2 : at === 0 ? 0 : 1;
    if (typed !== word && !slips.has(typed)) slips.set(typed, { error, place });
  };
  for (let at = 0; at <= word.length; at++) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    const left = before.slice(-1);
    for (const key of ALPHABET) {
      const right = word.charAt(at);
      if (key === left || key === right) add(before + key + word.slice(at), 'doubledLetter', at);
      else
        add(
          before + key + word.slice(at),
          classifyInsertion(key.charCodeAt(0), left.charCodeAt(0), right.charCodeAt(0)),
          at,
        );
      if (letter !== '')
        add(before + key + after, classifySubstitution(key.charCodeAt(0), letter.charCodeAt(0)), at);
    }
    if (letter === '') continue;
    add(before + after, classifyOmission(letter.charCodeAt(0), left.charCodeAt(0), after.charCodeAt(0)), at);
    const [second, third] = [after.charAt(0), after.charAt(1)];
    if (second !== '') add(before + second + letter + after.slice(1), 'swappedLetters', at);
    if (third === '') continue;
    for (const moved of [second + third + letter, third + letter + second, third + second + letter]) {
      add(before + moved + after.slice(2), 'movedLetter', at);
    }
  }
  return slips;
}

/** Finds the errors between two words: none, one or two; null if there are more. */
function findSlips(typed: string, meant: string, isSuffix: boolean): Slip[] | null {
  if (typed === meant) return [];
  const slips = listSlips(meant, isSuffix);
  const one = slips.get(typed);
  if (one !== undefined) return [one];
  if (Math.abs(typed.length - meant.length) > 2) return null;
  for (const [word, slip] of slips) {
    const second = listSlips(word, isSuffix).get(typed);
    if (second !== undefined) return [slip, second];
  }
  return null;
}

/** Counts the errors of real typos. A typo is counted once for each pair, however many sources have it. */
export function countErrors(pairs: readonly TypoPair[]): ErrorCounts {
  const counts: ErrorCounts = {
    letters: mapNames(LETTER_ERRORS, () => [
      [0, 0],
      [0, 0],
      [0, 0],
    ]),
    others: mapNames(OTHER_ERRORS, () => [0, 0]),
    errors: [0, 0],
    left: [],
  };
  for (const pair of pairs) {
    const found = explain(pair);
    if (found === null) {
      counts.left.push(pair);
      continue;
    }
    const total = found.letters.length + found.others.length;
    counts.errors[total > 1 ? 1 : 0]++;
    for (const { error, place } of found.letters) counts.letters[error][place]![0]++;
    for (const error of found.others) counts.others[error][0]++;
    addChances(counts, pair.meant);
  }
  return counts;
}

/** Adds the errors that could have been made in a domain. */
function addChances(counts: ErrorCounts, meant: string): void {
  const [label, suffix] = split(meant);
  for (const slips of [listSlips(label, false), listSlips(suffix, true)]) {
    for (const { error, place } of slips.values()) counts.letters[error][place]![1]++;
  }
  for (const error of OTHER_ERRORS) if (canBeMade(error, label, suffix)) counts.others[error][1]++;
}

/** True if an error can be made in a domain: a second level can only be missing if there is one. */
function canBeMade(error: OtherError, label: string, suffix: string): boolean {
  if (error === 'missingCountry' || error === 'missingSecondLevel' || error === 'otherSecondLevel') {
    return suffix.includes('.');
  }
  if (error === 'needlessSecondLevel') return !suffix.includes('.');
  if (error === 'otherGeneric') return suffix === 'com';
  const isRespelling = error === 'byEar' || error === 'wordAdded';
  return !isRespelling || RESPELLINGS.some(([meant, , kind]) => kind === error && meant.test(label));
}

interface Explanation {
  letters: Slip[];
  others: OtherError[];
}

/** Explains a typo by the fewest errors; null if it takes more than two. */
export function explain({ typed, meant }: TypoPair): Explanation | null {
  const dotError = findDotError(typed, meant);
  if (dotError !== null) return { letters: [], others: [dotError] };
  const [label, suffix] = split(typed);
  const [meantLabel, meantSuffix] = split(meant);
  const ofLabel = explainLabel(label, meantLabel);
  const ofSuffix = explainSuffix(suffix, meantSuffix);
  if (ofLabel === null || ofSuffix === null) return null;
  const letters = [...ofLabel.letters, ...ofSuffix.letters];
  const others = [...ofLabel.others, ...ofSuffix.others];
  return letters.length + others.length > 2 ? null : { letters, others };
}

function findDotError(typed: string, meant: string): OtherError | null {
  const bare = (domain: string): string => domain.replace(/[.-]/g, '');
  const [label, suffix] = split(typed);
  if (bare(typed) === bare(meant)) return typed.includes('.') ? 'movedDot' : 'missingDot';
  return bare(label) === bare(meant) && meant.endsWith(`.${suffix}`) ? 'repeatedSuffix' : null;
}

function explainLabel(typed: string, meant: string): Explanation | null {
  const letters = findSlips(typed, meant, false);
  if (letters?.length === 0 || letters?.length === 1) return { letters, others: [] };
  if (/^[0-9]+/.exec(typed) !== null && typed.replace(/^[0-9]+/, '') === meant)
    return { letters: [], others: ['digitsBefore'] };
  const respelled = RESPELLINGS.find(
    ([end, spelling]) => end.test(meant) && meant.replace(end, spelling) === typed,
  );
  if (respelled !== undefined) return { letters: [], others: [respelled[2]] };
  if (typed === `${meant}mail`) return { letters: [], others: ['wordAdded'] };
  return letters === null ? null : { letters, others: [] };
}

function explainSuffix(typed: string, meant: string): Explanation | null {
  const letters = findSlips(typed, meant, true);
  if (letters?.length === 0) return { letters, others: [] };
  const error = classifySuffixError(typed, meant, true);
  if (error !== null && (letters?.length !== 1 || error !== 'otherCountry'))
    return { letters: [], others: [error] };
  return letters === null ? null : { letters, others: [] };
}

function split(domain: string): [label: string, suffix: string] {
  const dot = domain.indexOf('.');
  return dot === -1 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

function mapNames<K extends string, V>(names: readonly K[], create: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, create()])) as Record<K, V>;
}
