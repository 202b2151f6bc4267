/** Scans the name of one tag. Resumable at any byte. */
import { isLetter, isNameEnd } from './bytes.ts';
import { findTag, TAG, type TagId, UNPACKABLE } from './tag-names.ts';

const HASH_BITS = 7;
/** The number of values that `NameScanner.hash` can have. */
export const HASH_COUNT = 1 << HASH_BITS;

/** The most names that one page can put into `#shortNames`. */
const MAX_SHORT_NAMES = 1_000;
/** Longer names are compared by so many letters. */
const MAX_NAME_LENGTH = 64;

const LETTER = 0;
const NAME_END = 1;
const OTHER = 2;
/** The kind of each byte: one lookup is faster than the comparisons. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  isLetter(byte) ? LETTER : isNameEnd(byte) ? NAME_END : OTHER,
);

export class NameScanner {
  /** The letters 1 to 6 and 7 to 12 of the name, packed as in tag-names.ts. */
  #first = 0;
  #rest = 0;
  #length = 0;
  /** Names of up to six letters by their packed form: SVG repeats them. */
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
