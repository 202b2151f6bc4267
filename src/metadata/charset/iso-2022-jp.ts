/**
 * Decodes ISO-2022-JP (Encoding Standard §12.2.1). The platform's decoder throws on some malformed input that
 * arrives in chunks. A JIS X 0208 pair is the same two bytes in EUC-JP, with their high bits set.
 */
import { skipTo } from '#html';

/** The modes that an escape selects for the bytes after it. */
const ASCII = 0;
const ROMAN = 1;
const KATAKANA = 2;
const DOUBLE = 3;

const ESC = 0x1b;
const YEN = 0xa5;
const OVERLINE = 0x203e;
const REPLACEMENT = 0xfffd;
const FIRST_KATAKANA = 0xff61;
/** Each byte of a pair is one of CELLS values, FIRST to 0x7e. */
const FIRST = 0x21;
const CELLS = 94;

/** The characters of all pairs by row and cell; built for the first page in this encoding. */
let pairs: Uint16Array | null = null;

function decodePairTable(): Uint16Array {
  const eucJp = new TextDecoder('euc-jp', { ignoreBOM: true });
  const table = new Uint16Array(CELLS * CELLS);
  for (let at = 0; at < table.length; at++) {
    const lead = Math.floor(at / CELLS) + FIRST;
    const text = eucJp.decode(Uint8Array.of(lead | 0x80, ((at % CELLS) + FIRST) | 0x80));
    table[at] = text.length === 1 ? text.charCodeAt(0) : REPLACEMENT;
  }
  return table;
}

/** A streaming decoder with the interface of TextDecoder; malformed sequences become U+FFFD. */
export class Iso2022JpDecoder {
  readonly encoding = 'iso-2022-jp';
  #pairs = (pairs ??= decodePairTable());
  #mode = ASCII;
  /** The bytes of an incomplete escape: ESC, or ESC and one more. */
  #escape: number[] = [];
  #lead = 0;
  /** True directly after an escape: a second one in a row is an error. */
  #wasEscape = false;
  /** The UTF-16 code units of this chunk: one per byte, and up to two of a malformed escape before it. */
  #units = new Uint16Array(0);
  #length = 0;

  /** Decodes the next bytes. Without `stream`, they are the last. */
  decode(bytes: Uint8Array = new Uint8Array(0), options: { stream?: boolean } = {}): string {
    this.#units = new Uint16Array(bytes.length + 8);
    this.#length = 0;
    for (const byte of bytes) this.#decodeByte(byte);
    if (options.stream !== true) this.#flush();
    return Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le');
  }

  #flush(): void {
    const [escape, first] = this.#escape;
    this.#escape = [];
    if (escape !== undefined) this.#emit(REPLACEMENT);
    // The standard reads the second byte of an incomplete escape again: as a lead, it is incomplete too.
    if (first !== undefined) this.#decodeByte(first);
    if (this.#lead !== 0) this.#emit(REPLACEMENT);
    this.#lead = 0;
  }

  #decodeByte(byte: number): void {
    if (this.#escape.length > 0) return this.#decodeEscape(byte);
    if (byte === ESC) {
      if (this.#lead !== 0) this.#emit(REPLACEMENT);
      this.#lead = 0;
      this.#escape = [ESC];
    } else if (this.#mode === DOUBLE) this.#decodePair(byte);
    else if (byte >= 0x80 || byte === 0x0e || byte === 0x0f) this.#emit(REPLACEMENT);
    else if (this.#mode === KATAKANA) {
      this.#emit(byte >= FIRST && byte <= 0x5f ? FIRST_KATAKANA - FIRST + byte : REPLACEMENT);
    } else if (this.#mode === ROMAN && byte === 0x5c) this.#emit(YEN);
    else if (this.#mode === ROMAN && byte === 0x7e) this.#emit(OVERLINE);
    else this.#emit(byte);
  }

  #decodePair(byte: number): void {
    const isPart = byte >= FIRST && byte <= 0x7e;
    if (this.#lead === 0) {
      if (isPart) this.#lead = byte;
      else this.#emit(REPLACEMENT);
      return;
    }
    this.#emit(isPart ? this.#pairs[(this.#lead - FIRST) * CELLS + byte - FIRST]! : REPLACEMENT);
    this.#lead = 0;
  }

  #decodeEscape(byte: number): void {
    const [, first] = this.#escape;
    if (first === undefined && (byte === 0x24 || byte === 0x28)) {
      this.#escape.push(byte);
      return;
    }
    const mode = first === undefined ? null : findMode(first, byte);
    this.#escape = [];
    if (mode !== null) {
      this.#mode = mode;
      if (this.#wasEscape) this.#emit(REPLACEMENT);
      this.#wasEscape = true;
      return;
    }
    this.#emit(REPLACEMENT);
    if (first !== undefined) this.#decodeByte(first);
    this.#decodeByte(byte);
  }

  #emit(unit: number): void {
    this.#units[this.#length++] = unit;
    this.#wasEscape = false;
  }
}

/**
 * Returns the index of the next escape to Japanese (ESC $ B, ESC $ @, ESC ( J, ESC ( I) in [from, end), or
 * `end`.
 */
export function findIso2022JpEscape(bytes: Uint8Array, from: number, end: number): number {
  let at = skipTo(ESC, bytes, from, end);
  while (at < end && !isJapanese(bytes[at + 1]!, bytes[at + 2]!)) at = skipTo(ESC, bytes, at + 1, end);
  return at;
}

function isJapanese(first: number, second: number): boolean {
  const mode = first === 0x24 || first === 0x28 ? findMode(first, second) : null;
  return mode !== null && mode !== ASCII;
}

/** Returns the mode after ESC, `$` or `(`, and one more byte; null if there is none. */
function findMode(first: number, second: number): number | null {
  if (first === 0x24) return second === 0x40 || second === 0x42 ? DOUBLE : null;
  if (second === 0x42) return ASCII;
  if (second === 0x4a) return ROMAN;
  return second === 0x49 ? KATAKANA : null;
}
