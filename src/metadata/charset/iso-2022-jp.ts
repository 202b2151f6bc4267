/**
 * ISO-2022-JP → text as it arrives (Encoding Standard §12.2.1). The platform's decoder throws on some broken input when it is given in pieces;
 * here a JIS X 0208 pair is read as what it is in EUC-JP, the same two bytes with their high bits set.
 */
const ASCII = 0;
const ROMAN = 1;
const KATAKANA = 2;
const DOUBLE = 3;

const ESC = 0x1b;
const YEN = 0xa5;
const OVERLINE = 0x203e;
const REPLACEMENT = 0xfffd;
const FIRST_KATAKANA = 0xff61;
/** The bytes of a pair are 0x21 to 0x7e. */
const FIRST = 0x21;
const CELLS = 94;

let pairs: Uint16Array | null = null;

/** The characters of all pairs by row and cell; made when the first page in this encoding comes. */
function readPairs(): Uint16Array {
  const eucJp = new TextDecoder('euc-jp', { ignoreBOM: true });
  const table = new Uint16Array(CELLS * CELLS);
  for (let at = 0; at < table.length; at++) {
    const lead = Math.floor(at / CELLS) + FIRST;
    const text = eucJp.decode(Uint8Array.of(lead | 0x80, ((at % CELLS) + FIRST) | 0x80));
    table[at] = text.length === 1 ? text.charCodeAt(0) : REPLACEMENT;
  }
  return table;
}

export class Iso2022JpDecoder {
  readonly encoding = 'iso-2022-jp';
  #pairs = (pairs ??= readPairs());
  #mode = ASCII;
  /** Bytes of an escape that is not complete: ESC, or ESC and one more. */
  #escape: number[] = [];
  #lead = 0;
  /** Two escapes in a row, with nothing between, are an error. */
  #wasEscape = false;
  /** UTF-16 code units; a byte makes at most one, but for those of an escape that turns out to be none. */
  #units = new Uint16Array(0);
  #length = 0;

  /** The text of the next bytes; without `stream` they are the last. */
  decode(bytes: Uint8Array = new Uint8Array(0), options: { stream?: boolean } = {}): string {
    this.#units = new Uint16Array(bytes.length + 8);
    this.#length = 0;
    for (const byte of bytes) this.#take(byte);
    if (options.stream !== true) this.#end();
    return Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le');
  }

  #end(): void {
    const pending = this.#escape;
    this.#escape = [];
    if (pending.length > 0 || this.#lead !== 0) this.#add(REPLACEMENT);
    this.#lead = 0;
    for (const byte of pending.slice(1)) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#escape.length > 0) return this.#takeEscape(byte);
    if (byte === ESC) {
      if (this.#lead !== 0) this.#add(REPLACEMENT);
      this.#lead = 0;
      this.#escape = [ESC];
    } else if (this.#mode === DOUBLE) this.#takeDouble(byte);
    else if (byte >= 0x80 || byte === 0x0e || byte === 0x0f) this.#add(REPLACEMENT);
    else if (this.#mode === KATAKANA) {
      this.#add(byte >= FIRST && byte <= 0x5f ? FIRST_KATAKANA - FIRST + byte : REPLACEMENT);
    } else if (this.#mode === ROMAN && byte === 0x5c) this.#add(YEN);
    else if (this.#mode === ROMAN && byte === 0x7e) this.#add(OVERLINE);
    else this.#add(byte);
  }

  #takeDouble(byte: number): void {
    const isPart = byte >= FIRST && byte <= 0x7e;
    if (this.#lead === 0) {
      if (isPart) this.#lead = byte;
      else this.#add(REPLACEMENT);
      return;
    }
    this.#add(isPart ? this.#pairs[(this.#lead - FIRST) * CELLS + byte - FIRST]! : REPLACEMENT);
    this.#lead = 0;
  }

  #takeEscape(byte: number): void {
    const [, first] = this.#escape;
    if (first === undefined && (byte === 0x24 || byte === 0x28)) {
      this.#escape.push(byte);
      return;
    }
    const mode = first === undefined ? null : findMode(first, byte);
    this.#escape = [];
    if (mode !== null) {
      this.#mode = mode;
      if (this.#wasEscape) this.#add(REPLACEMENT);
      this.#wasEscape = true;
      return;
    }
    this.#add(REPLACEMENT);
    if (first !== undefined) this.#take(first);
    this.#take(byte);
  }

  #add(unit: number): void {
    this.#units[this.#length++] = unit;
    this.#wasEscape = false;
  }
}

function findMode(first: number, second: number): number | null {
  if (first === 0x24) return second === 0x40 || second === 0x42 ? DOUBLE : null;
  if (second === 0x42) return ASCII;
  if (second === 0x4a) return ROMAN;
  return second === 0x49 ? KATAKANA : null;
}
