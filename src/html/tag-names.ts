/**
 * Lists the elements that need special treatment, and recognizes their names in bytes without creating
 * strings: up to twelve ASCII letters are packed, five bits each, into two 30-bit integers (as in lol-html).
 * Their comparison is exact and ignores case.
 */
import { isLetter, isNameEnd } from './bytes.ts';

/** Elements without an end tag, including obsolete ones that parsers still know. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/**
 * Elements whose content is text up to their own end tag, with scripting off (WHATWG HTML §13.2.6.4): they
 * have no child elements.
 */
export const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'title textarea style xmp iframe noembed noframes script'.split(' '),
);

/** Elements that the parser leaves in the head, with the head itself (WHATWG HTML §13.2.6.4.4). */
export const HEAD_ELEMENTS: ReadonlySet<string> = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(' '),
);

/** The ids of tag names; `other` is any name that is not listed. */
export const TAG = {
  other: 0,
  html: 1,
  head: 2,
  body: 3,
  title: 4,
  meta: 5,
  link: 6,
  base: 7,
  script: 8,
  style: 9,
  textarea: 10,
  xmp: 11,
  iframe: 12,
  noembed: 13,
  noframes: 14,
  noscript: 15,
  plaintext: 16,
  template: 17,
  svg: 18,
  math: 19,
  basefont: 20,
  bgsound: 21,
  frameset: 22,
} as const;

/** One of the small integers in TAG. */
export type TagId = (typeof TAG)[keyof typeof TAG];

/** `rest` of a name that has more than twelve letters, or another character than an ASCII letter. */
const UNPACKABLE = -1;

const TABLE_BITS = 6;
const multiplier = findMultiplier();
const slots = buildSlots(multiplier);
const ids = new Uint8Array(1 << TABLE_BITS);
const firsts = new Int32Array(1 << TABLE_BITS);
const rests = new Int32Array(1 << TABLE_BITS);
for (const [slot, { id, first, rest }] of slots ?? []) {
  ids[slot] = id;
  firsts[slot] = first;
  rests[slot] = rest;
}

const NAMES = Object.keys(TAG);
/** The names in lower case, by id. */
export const TAG_BYTES: readonly Uint8Array[] = NAMES.map((name) => new TextEncoder().encode(name));

const isText = new Uint8Array(ids.length).map((_, id) => (RAW_TEXT_ELEMENTS.has(NAMES[id] ?? '') ? 1 : 0));
const isHead = new Uint8Array(ids.length).map((_, id) => (HEAD_ELEMENTS.has(NAMES[id] ?? '') ? 1 : 0));

/** Returns whether the element's content is text up to its own end tag. */
export function isTextElement(id: TagId): boolean {
  return isText[id] === 1;
}

/** Returns whether the element can be in a head. */
export function isHeadElement(id: TagId): boolean {
  return isHead[id] === 1;
}

/** Returns the id of a packed name: `first` holds letters 1 to 6, `rest` letters 7 to 12 (0 for none). */
function findTag(first: number, rest: number): TagId {
  const slot = Math.imul(first ^ rest, multiplier) >>> (32 - TABLE_BITS);
  return firsts[slot] === first && rests[slot] === rest ? (ids[slot] as TagId) : TAG.other;
}

function pack(letters: string): number {
  let packed = 0;
  for (const letter of letters) packed = (packed << 5) | (letter.charCodeAt(0) & 31);
  return packed;
}

type Slot = { id: number; first: number; rest: number };

/** Returns the table of all names by their hash, or null if two names have the same. */
function buildSlots(multiplier: number): Map<number, Slot> | null {
  const slots = new Map<number, Slot>();
  for (const [name, id] of Object.entries(TAG)) {
    if (id === TAG.other) continue;
    const first = pack(name.slice(0, 6));
    const rest = pack(name.slice(6));
    const slot = Math.imul(first ^ rest, multiplier) >>> (32 - TABLE_BITS);
    if (slots.has(slot)) return null;
    slots.set(slot, { id, first, rest });
  }
  return slots;
}

/** Returns a multiplier for which the hashes of all names differ. */
function findMultiplier(): number {
  let candidate = 0x9e3779b1 | 0;
  while (buildSlots(candidate) === null) candidate = (Math.imul(candidate, 0x19660d) + 0x3c6ef35e) | 1;
  return candidate;
}

const HASH_BITS = 7;
/** The number of values that `NameScanner.hash` can have. */
export const HASH_COUNT = 1 << HASH_BITS;

/** The most names that one page can put into `#shortNames`. */
const MAX_SHORT_NAMES = 1_000;
/** Names are compared up to this number of letters. */
const MAX_NAME_LENGTH = 64;

const LETTER = 0;
const NAME_END = 1;
const OTHER = 2;
/** The kind of each byte: one lookup is faster than the comparisons. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  isLetter(byte) ? LETTER : isNameEnd(byte) ? NAME_END : OTHER,
);

/** Scans the name of one tag. Resumable at any byte. */
export class NameScanner {
  /** The letters 1 to 6 and 7 to 12 of the name, packed as in tag-names.ts. */
  #first = 0;
  #rest = 0;
  #length = 0;
  /** Caches names of up to six letters by their packed form, because SVG repeats them. */
  #shortNames = new Map<number, string>();

  /** Starts at the first letter of a name. */
  begin(): void {
    this.#first = 0;
    this.#rest = 0;
    this.#length = 0;
  }

  /** Returns the index of the byte after the name, or -1 if it is not in [from, end). */
  resume(bytes: Uint8Array, from: number, end: number): number {
    let first = this.#first;
    let rest = this.#rest;
    let length = this.#length;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      const kind = KINDS[byte];
      if (kind === NAME_END) break;
      length++;
      if (kind === OTHER || length > 12) rest = UNPACKABLE;
      else if (length <= 6) first = (first << 5) | (byte & 31);
      else if (rest !== UNPACKABLE) rest = (rest << 5) | (byte & 31);
    }
    this.#first = first;
    this.#rest = rest;
    this.#length = length;
    return at < end ? at : -1;
  }

  /** The id of the name; TAG.other for a name that is not in TAG. */
  get id(): TagId {
    return this.#rest === UNPACKABLE ? TAG.other : findTag(this.#first, this.#rest);
  }

  /** A hash of the name, below HASH_COUNT. */
  get hash(): number {
    return Math.imul(this.#first ^ this.#length, 0x9e3779b1) >>> (32 - HASH_BITS);
  }

  /** Returns the name at [start, end) in lower case, cut after 64 letters. */
  getName(bytes: Buffer, start: number, end: number): string {
    const isShort = this.#rest === 0;
    const known = isShort ? this.#shortNames.get(this.#first) : undefined;
    if (known !== undefined) return known;
    const name = bytes.toString('latin1', start, Math.min(end, start + MAX_NAME_LENGTH)).toLowerCase();
    if (isShort && this.#shortNames.size < MAX_SHORT_NAMES) this.#shortNames.set(this.#first, name);
    return name;
  }
}
