/**
 * Limits a JSON text while it arrives, before anything is parsed: its members, and the depth, the number of
 * values and the bytes of each member. It checks nothing else. JSON.parse stops at the first syntax error of
 * a text, so what follows such an error may be miscounted.
 */
import { ApiError } from '#errors';
import { type JsonLimits, limitExceeded, tooManyBytes, type ValueLimits } from './body-limits.ts';

interface Tally {
  name: string | null;
  limits: ValueLimits;
  values: number;
  bytes: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Up to this length, a loop over the bytes of a string is faster than a native search. */
const NEAR_BYTES = 32;
/** The longest spelling of a character in a name: \uXXXX. */
const ESCAPE_BYTES = 6;

/** One scan of one text. */
export class JsonScan {
  readonly #limits: JsonLimits;
  readonly #tallies: readonly Tally[];
  readonly #others: Tally;
  readonly #longestKey: number;
  /** The member whose value is being scanned. */
  #tally: Tally;
  #members = 0;
  #depth = 0;
  /** The depth of the values of members: 1 in an object, 0 if the text is an array. */
  #base = 1;
  #isString = false;
  /** True if the next string at the top level, or the one being scanned, is a member's name. */
  #isKey = false;
  /** True if the next chunk starts with a byte that a backslash escapes. */
  #isEscaped = false;
  /** True if an array or object was opened and may still be empty. */
  #isFresh = false;
  /** The part of the current name that was in earlier chunks, still escaped, one character per byte. */
  #key = '';
  /** The bytes of members without a budget of their own. */
  #sharedBytes = 0;
  /** The index in the current chunk of the first byte that is not counted yet. */
  #uncounted = 0;

  constructor(limits: JsonLimits) {
    const names = Object.entries(limits.byMember);
    this.#limits = limits;
    this.#tallies = names.map(([name, limits]) => ({ name, limits, values: 0, bytes: 0 }));
    this.#longestKey = ESCAPE_BYTES * Math.max(0, ...names.map(([name]) => name.length));
    this.#others = { name: null, limits: limits.others, values: 0, bytes: 0 };
    this.#tally = this.#others;
  }

  /** Scans the next bytes of the text. Throws ApiError when a limit is exceeded; the scan is then over. */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;)
      at = this.#isString ? this.#scanString(bytes, at) : this.#scanStructure(bytes, at);
    this.#countBytes(bytes.length);
    this.#uncounted = 0;
  }

  /** Counts the bytes up to `end` for the member that is being scanned. */
  #countBytes(end: number): void {
    const count = end - this.#uncounted;
    this.#uncounted = end;
    const { name, limits } = this.#tally;
    if (limits.bytes !== undefined) {
      this.#tally.bytes += count;
      if (this.#tally.bytes > limits.bytes) throw tooManyBytes(name, limits.bytes);
      return;
    }
    this.#sharedBytes += count;
    const { bytes = Infinity } = this.#limits;
    if (this.#sharedBytes > bytes) throw tooManyBytes(null, bytes);
  }

  /** Scans up to the next string, and returns where its content begins. */
  #scanStructure(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte <= 0x20 || byte === COLON) continue;
      if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.#isFresh = false;
        if (this.#depth > 0) this.#depth -= 1;
        continue;
      }
      if (this.#isFresh) {
        this.#isFresh = false;
        this.#countValue();
      }
      if (byte === QUOTE) {
        this.#isString = true;
        return at + 1;
      }
      if (byte === COMMA) {
        if (this.#depth > this.#base) this.#countValue();
        else this.#isKey = this.#depth === 1;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#open(byte);
    }
    return bytes.length;
  }

  #open(byte: number): void {
    if (this.#depth === 0) {
      this.#base = byte === OPEN_OBJECT ? 1 : 0;
      this.#isKey = byte === OPEN_OBJECT;
      if (byte === OPEN_ARRAY) this.#tally = this.#createArrayTally();
    }
    this.#depth += 1;
    const depth = this.#depth - this.#base;
    this.#isFresh = depth > 0;
    const { name, limits } = this.#tally;
    if (depth > limits.depth) throw limitExceeded(name, limits, `is nested more than ${limits.depth} deep`);
  }

  #createArrayTally(): Tally {
    return {
      name: null,
      limits: { ...this.#limits.others, code: this.#limits.notObject },
      values: 0,
      bytes: 0,
    };
  }

  #countValue(): void {
    const { name, limits } = this.#tally;
    this.#tally.values += 1;
    if (this.#tally.values > limits.values)
      throw limitExceeded(name, limits, `has more than ${limits.values} values`);
  }

  /** Scans to the end of a string, and returns the index after it. */
  #scanString(bytes: Buffer, start: number): number {
    const isKey = this.#isKey && this.#depth === 1;
    const quote = this.#findQuote(bytes, start);
    const end = quote < 0 ? bytes.length : quote;
    if (isKey && quote >= 0) this.#endKey(bytes, start, end);
    else if (isKey && this.#key.length <= this.#longestKey)
      this.#key += bytes.toString('latin1', start, Math.min(end, start + this.#longestKey + 1));
    this.#isString = quote < 0;
    return end + 1;
  }

  /** Selects the tally of the member whose name ends here. A plain name inside one chunk is not copied. */
  #endKey(bytes: Buffer, start: number, end: number): void {
    this.#countBytes(end);
    const length = this.#key.length + end - start;
    if (length > this.#longestKey) this.#tally = this.#others;
    else if (this.#key === '' && !hasBackslash(bytes, start, end))
      this.#tally = this.#tallies.find(({ name }) => isName(name, bytes, start, end)) ?? this.#others;
    else {
      const name = parseName(this.#key + bytes.toString('latin1', start, end));
      this.#tally = this.#tallies.find((tally) => tally.name === name) ?? this.#others;
    }
    this.#key = '';
    this.#isKey = false;
    this.#members += 1;
    if (this.#members > this.#limits.members)
      throw limitExceeded(null, this.#limits.others, `has more than ${this.#limits.members} members`);
  }

  /**
   * Returns the index of the quote that ends the string, or -1 if the chunk ends first. Scans a byte twice at
   * most.
   */
  #findQuote(bytes: Buffer, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (;;) {
      for (const near = Math.min(at + NEAR_BYTES, bytes.length); at < near; at += 1) {
        if (bytes[at] === QUOTE) return at;
        if (bytes[at] === BACKSLASH) at += 1;
      }
      this.#isEscaped = at > bytes.length;
      if (at >= bytes.length) return -1;
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote < 0 ? bytes.length : quote;
      let slash = end;
      while (slash > at && bytes[slash - 1] === BACKSLASH) slash -= 1;
      const isEscaped = (end - slash) % 2 === 1;
      if (quote >= 0 && !isEscaped) return quote;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return -1;
      }
      at = quote + 1;
    }
  }
}

function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function isName(name: string | null, bytes: Buffer, start: number, end: number): boolean {
  if (name?.length !== end - start) return false;
  for (let at = 0; at < name.length; at += 1) if (bytes[start + at] !== name.charCodeAt(at)) return false;
  return true;
}

/** Unescapes the name of a member. Characters beyond ASCII are not decoded: no known name has any. */
function parseName(spelled: string): string {
  try {
    return JSON.parse(`"${spelled}"`) as string;
  } catch (cause) {
    throw new ApiError('invalid_json', undefined, { cause });
  }
}
