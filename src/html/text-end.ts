/**
 * Finds the end tag that ends the text of a title, script, style, textarea or similar element. A script has
 * the escaped states of WHATWG HTML §13.2.5.15–31 (`<!-- <script> </script> -->` inside it). Resumable at any
 * byte.
 */
import { isLetter, isNameEnd, skipTo } from './bytes.ts';
import { TAG, TAG_BYTES, type TagId } from './tag-names.ts';

const PLAIN = 0;
const ESCAPED = 1;
const DOUBLE_ESCAPED = 2;

/** Positions inside of markup that may end the text or change the escape. */
const TEXT = 0;
const OPEN = 1;
const OPEN_SLASH = 2;
const END_NAME = 3;
const OPEN_BANG = 4;
const OPEN_BANG_DASH = 5;
const ESCAPE_NAME = 6;

const SCRIPT = TAG_BYTES[TAG.script]!;

export class TextEnd {
  /** The index of the end tag's `<`, once `resume` has found it. */
  textEnd = 0;
  #name: Uint8Array = SCRIPT;
  #isScript = false;
  #escape = PLAIN;
  #dashes = 0;
  #state = TEXT;
  #matched = 0;
  /** True if `#advance` consumed its byte although the state is text again. */
  #isConsumed = false;

  /** Starts at the first byte of the element's text. */
  begin(tag: TagId): void {
    this.#name = TAG_BYTES[tag]!;
    this.#isScript = tag === TAG.script;
    this.#escape = PLAIN;
    this.#dashes = 0;
    this.#state = TEXT;
  }

  /** Returns the index of the byte after the end tag's name, or -1 if it is not in [from, end). */
  resume(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end) {
      if (this.#state === TEXT) {
        at = this.#escape === PLAIN ? skipTo(0x3c, bytes, at, end) : this.#skipEscaped(bytes, at, end);
        if (at >= end) return -1;
        this.textEnd = at++;
        this.#state = OPEN;
      } else if (this.#advance(bytes[at]!)) {
        return at;
      } else if (this.#state !== TEXT || this.#isConsumed) {
        at++;
      }
    }
    return -1;
  }

  /**
   * Takes one byte after a `<`. Returns true if it is the one after the end tag's name. A byte that matches
   * nothing is scanned again as text.
   */
  #advance(byte: number): boolean {
    this.#isConsumed = false;
    const state = this.#state;
    if (state === END_NAME || state === ESCAPE_NAME) return this.#advanceName(byte);
    if (state === OPEN && byte === 0x2f) this.#enter(OPEN_SLASH);
    else if (state === OPEN && this.#isScript && byte === 0x21 && this.#escape === PLAIN)
      this.#enter(OPEN_BANG);
    else if (state === OPEN && this.#escape === ESCAPED && isLetter(byte)) this.#startName(ESCAPE_NAME, byte);
    else if (state === OPEN_SLASH && this.#escape === DOUBLE_ESCAPED) this.#startName(ESCAPE_NAME, byte);
    else if (state === OPEN_SLASH) this.#startName(END_NAME, byte);
    else if (state === OPEN_BANG && byte === 0x2d) this.#enter(OPEN_BANG_DASH);
    else if (state === OPEN_BANG_DASH && byte === 0x2d) this.#startEscape();
    else this.#state = TEXT;
    return false;
  }

  #enter(state: number): void {
    this.#state = state;
    this.#dashes = 0;
  }

  #startEscape(): void {
    this.#state = TEXT;
    this.#isConsumed = true;
    this.#escape = ESCAPED;
    // `<!-->` and `<!--->` end the escaped state immediately: the dashes of the opening count.
    this.#dashes = 2;
  }

  #startName(state: number, byte: number): void {
    this.#dashes = 0;
    this.#matched = (byte | 0x20) === this.#name[0] ? 1 : -1;
    this.#state = isLetter(byte) ? state : TEXT;
  }

  #advanceName(byte: number): boolean {
    if (isNameEnd(byte)) {
      const isWhole = this.#matched === this.#name.length;
      if (isWhole && this.#state === END_NAME) return true;
      if (this.#state === ESCAPE_NAME) {
        this.#isConsumed = true;
        if (isWhole) this.#escape = this.#escape === ESCAPED ? DOUBLE_ESCAPED : ESCAPED;
      }
      this.#state = TEXT;
    } else if (!isLetter(byte)) {
      this.#state = TEXT;
    } else if (this.#matched >= 0) {
      this.#matched = (byte | 0x20) === this.#name[this.#matched] ? this.#matched + 1 : -1;
    }
    return false;
  }

  /** Returns the index of the next `<` of an escaped script; `-->` before it ends the escaped states. */
  #skipEscaped(bytes: Uint8Array, from: number, end: number): number {
    let dashes = this.#dashes;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === 0x2d) dashes++;
      else if (byte === 0x3c) break;
      else if (byte === 0x3e && dashes >= 2) {
        this.#escape = PLAIN;
        this.#dashes = 0;
        return skipTo(0x3c, bytes, at + 1, end);
      } else dashes = 0;
    }
    this.#dashes = at < end ? 0 : dashes;
    return at;
  }
}
