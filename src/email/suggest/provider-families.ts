/** Mail providers under one label: `gmail` with `com`, `yahoo` with `com`, `co.uk`, `fr` and so on, commonest suffix first. */
export interface ProviderFamily {
  label: string;
  /** Rough share of consumer addresses, in parts per 10,000. */
  weight: number;
  suffixes: string[];
  /** The label is an ordinary word, whose neighbours are words too: only slips of the finger are believed. */
  isWord: boolean;
  /** Bit n: the label holds the nth letter of the alphabet; other characters share the bits above. */
  letters: number;
}

/** Reads lines of `weight label suffix…`, a `~` before the label marking a word. */
export function readProviderFamilies(lines: Iterable<string>): ProviderFamily[] {
  const families: ProviderFamily[] = [];
  for (const line of lines) {
    const [weight, marked = '', ...suffixes] = line.split(' ');
    const isWord = marked.startsWith('~');
    const label = isWord ? marked.slice(1) : marked;
    families.push({ label, weight: Number(weight), suffixes, isWord, letters: readLetters(label) });
  }
  return families;
}

/** The set of characters of a word as bits, so that most far-off words are told by one exclusive-or. */
export function readLetters(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    letters |= 1 << (unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : 26 + (unit & 3));
  }
  return letters;
}

/** How many characters of one word the other lacks, whichever way there are more: so many edits it takes at the least. */
export function countMissingLetters(first: number, second: number): number {
  return Math.max(countBits(first & ~second), countBits(second & ~first));
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Spellings of a label by ear, each at `cost` hundredths of an edit on top of what else is wrong. */
export interface Respelling {
  label: string;
  cost: number;
}

const BY_EAR: readonly [RegExp, string][] = [
  [/ail$/, 'ale'],
  [/ail$/, 'ayl'],
  [/x$/, 'ks'],
  [/oud$/, 'ould'],
  [/oud$/, 'owd'],
  [/ook$/, 'uk'],
  [/ook$/, 'uck'],
  [/oo$/, 'u'],
  [/^y/, 'i'],
  [/^y/, 'j'],
  [/al$/, 'le'],
  [/ph/, 'f'],
  [/f/, 'ph'],
  [/ck/, 'k'],
  [/c(?=[aou])/, 'k'],
  [/^(?:yahoo|outlook|icloud)$/, '$&mail'],
];
const BY_EAR_COST = 65;

/** The ways in which a label is spelt by ear; the limit keeps them to labels long enough to be recognised. */
export function listRespellings(label: string): Respelling[] {
  if (label.length < 5) return [];
  return BY_EAR.filter(([pattern]) => pattern.test(label)).map(([pattern, by]) => ({
    label: label.replace(pattern, by),
    cost: BY_EAR_COST,
  }));
}
