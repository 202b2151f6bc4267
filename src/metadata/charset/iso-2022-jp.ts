/**
 * ISO-2022-JP → text as it arrives (Encoding Standard §12.2.1). The platform's decoder throws on some broken input when it is given in pieces;
 * here a JIS X 0208 pair is decoded as what it is in EUC-JP, the same two bytes with their high bits set.
 */
const ASCII = 0;
const ROMAN = 1;
const KATAKANA = 2;
const DOUBLE = 3;

const ESC = 0x1b;
const eucJp = new TextDecoder('euc-jp', { ignoreBOM: true });

export class Iso2022JpDecoder {
  readonly encoding = 'iso-2022-jp';
  #mode = ASCII;
  /** Bytes of an escape that is not complete: ESC, or ESC and one more. */
  #escape: number[] = [];
  #lead = 0;
  /** Two escapes in a row, with nothing between, are an error. */
  #wasEscape = false;
  #text = '';
  #pairs: number[] = [];

  /** The text of the next bytes; without `stream` they are the last. */
  decode(bytes: Uint8Array = new Uint8Array(0), options: { stream?: boolean } = {}): string {
    for (const byte of bytes) this.#take(byte);
    if (options.stream !== true) this.#end();
    this.#flush();
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #end(): void {
    const pending = this.#escape;
    this.#escape = [];
    if (pending.length > 0 || this.#lead !== 0) this.#fail();
    this.#lead = 0;
    for (const byte of pending.slice(1)) this.#take(byte);
  }

  #take(byte: number): void {
    if (this.#escape.length > 0) return this.#takeEscape(byte);
    if (byte === ESC) {
      if (this.#lead !== 0) this.#fail();
      this.#lead = 0;
      this.#escape = [ESC];
    } else if (this.#mode === DOUBLE) this.#takeDouble(byte);
    else if (byte >= 0x80 || byte === 0x0e || byte === 0x0f) this.#fail();
    else if (this.#mode === KATAKANA) {
      if (byte >= 0x21 && byte <= 0x5f) this.#add(String.fromCharCode(0xff61 - 0x21 + byte));
      else this.#fail();
    } else if (this.#mode === ROMAN && byte === 0x5c) this.#add('¥');
    else if (this.#mode === ROMAN && byte === 0x7e) this.#add('‾');
    else this.#add(String.fromCharCode(byte));
  }

  #takeDouble(byte: number): void {
    const isPart = byte >= 0x21 && byte <= 0x7e;
    if (this.#lead === 0) {
      if (isPart) this.#lead = byte;
      else this.#fail();
      return;
    }
    if (isPart) this.#pairs.push(this.#lead | 0x80, byte | 0x80);
    else this.#fail();
    this.#wasEscape = false;
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
      if (this.#wasEscape) this.#add('\uFFFD');
      this.#wasEscape = true;
      return;
    }
    this.#fail();
    if (first !== undefined) this.#take(first);
    this.#take(byte);
  }

  #add(text: string): void {
    this.#flush();
    this.#text += text;
    this.#wasEscape = false;
  }

  #fail(): void {
    this.#add('\uFFFD');
  }

  #flush(): void {
    if (this.#pairs.length === 0) return;
    this.#text += eucJp.decode(Uint8Array.from(this.#pairs));
    this.#pairs = [];
  }
}

function findMode(first: number, second: number): number | null {
  if (first === 0x24) return second === 0x40 || second === 0x42 ? DOUBLE : null;
  if (second === 0x42) return ASCII;
  if (second === 0x4a) return ROMAN;
  return second === 0x49 ? KATAKANA : null;
}
