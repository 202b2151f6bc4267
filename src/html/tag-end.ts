/**
 * Finds the end of a tag by the attribute states of WHATWG HTML §13.2.5.32–40: a `>` inside a quoted value
 * does not end it. Resumable at any byte.
 */
import { skipTo } from './bytes.ts';

const BEFORE_NAME = 0;
const NAME = 1;
const AFTER_NAME = 2;
const BEFORE_VALUE = 3;
const DOUBLE_QUOTED = 4;
const SINGLE_QUOTED = 5;
const UNQUOTED = 6;
const AFTER_QUOTED = 7;
const SELF_CLOSING = 8;

export class TagEnd {
  /** True if the tag ended with `/>`. */
  isSelfClosing = false;
  #state = BEFORE_NAME;

  /** Starts at the byte after the tag's name. */
  begin(): void {
    this.#state = BEFORE_NAME;
    this.isSelfClosing = false;
  }

  /** Returns the index after the tag's `>`, or -1 if it is not in [from, end). */
  resume(bytes: Buffer, from: number, end: number): number {
    let state = this.#state;
    let at = from;
    while (at < end) {
      // Values are the longest runs, names the next.
      if (state === DOUBLE_QUOTED || state === SINGLE_QUOTED) {
        const quote = state === DOUBLE_QUOTED ? 0x22 : 0x27;
        at = skipTo(quote, bytes, at, end);
        if (at === end) break;
        at++;
        state = AFTER_QUOTED;
        continue;
      }
      let kind = KINDS[bytes[at]!]!;
      if (state === NAME || state === UNQUOTED) {
        while (kind === OTHER && ++at < end) kind = KINDS[bytes[at]!]!;
        if (at === end) break;
      }
      at++;
      if (kind === GREATER) {
        this.isSelfClosing = state === SELF_CLOSING;
        return at;
      }
      state = NEXT[state * KIND_COUNT + kind]!;
    }
    this.#state = state;
    return -1;
  }
}

/** The kinds of bytes in a tag. */
const OTHER = 0;
const SPACE = 1;
const SOLIDUS = 2;
const EQUALS = 3;
const GREATER = 4;
const DOUBLE = 5;
const SINGLE = 6;
const KIND_COUNT = 7;

const KINDS = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) KINDS[byte] = SPACE;
KINDS[0x2f] = SOLIDUS;
KINDS[0x3d] = EQUALS;
KINDS[0x3e] = GREATER;
KINDS[0x22] = DOUBLE;
KINDS[0x27] = SINGLE;

/** The state after a byte outside quotes, at `state * KIND_COUNT + kind`; `>` ends the tag in each. */
const NEXT = new Uint8Array(9 * KIND_COUNT);
fill(NAME, { other: NAME, space: AFTER_NAME, solidus: SELF_CLOSING, equals: BEFORE_VALUE });
fill(AFTER_NAME, { other: NAME, space: AFTER_NAME, solidus: SELF_CLOSING, equals: BEFORE_VALUE });
fill(BEFORE_VALUE, { other: UNQUOTED, space: BEFORE_VALUE, solidus: UNQUOTED, equals: UNQUOTED });
NEXT[BEFORE_VALUE * KIND_COUNT + DOUBLE] = DOUBLE_QUOTED;
NEXT[BEFORE_VALUE * KIND_COUNT + SINGLE] = SINGLE_QUOTED;
fill(UNQUOTED, { other: UNQUOTED, space: BEFORE_NAME, solidus: UNQUOTED, equals: UNQUOTED });
// A leading `=` is part of the name.
for (const state of [BEFORE_NAME, AFTER_QUOTED, SELF_CLOSING]) {
  fill(state, { other: NAME, space: BEFORE_NAME, solidus: SELF_CLOSING, equals: NAME });
}

function fill(state: number, next: { other: number; space: number; solidus: number; equals: number }): void {
  const row = [next.other, next.space, next.solidus, next.equals, 0, next.other, next.other];
  NEXT.set(row, state * KIND_COUNT);
}

/** After `<!`, and after `<!-`. */
const OPEN = 0;
const OPEN_DASH = 1;
/** Inside `<![CDATA[`. */
const CDATA_OPEN = 2;
const CDATA = 3;
const BOGUS_COMMENT = 4;
/** A comment ends at `-->` or `--!>`; `<!-->` and `<!--->` are whole comments. */
const COMMENT_START = 5;
const COMMENT_START_DASH = 6;
const COMMENT = 7;
const COMMENT_DASH = 8;
const COMMENT_DASH_DASH = 9;
const COMMENT_BANG = 10;

const CDATA_NAME = Buffer.from('[CDATA[');

/**
 * Finds the end of what follows `<!`: a comment, a CDATA section, or anything else, which ends at the next
 * `>` (WHATWG HTML §13.2.5.42–71; a doctype needs no more). Resumable at any byte.
 */
export class DeclarationEnd {
  #state = OPEN;
  /** The number of bytes seen of `[CDATA[`, or of the `]]` before a section's end. */
  #matched = 0;

  /** Starts at the byte after `<!`. */
  begin(): void {
    this.#state = OPEN;
    this.#matched = 0;
  }

  /** Starts inside `<?…` or `</1…`, which are no declarations but end as a bogus comment does. */
  beginBogusComment(): void {
    this.#state = BOGUS_COMMENT;
  }

  /**
   * Returns the index after the declaration, or -1 if its end is not in [from, end). `allowsCdata`:
   * `<![CDATA[` opens a section here, as it does in XML and in foreign content.
   */
  resume(bytes: Uint8Array, from: number, end: number, allowsCdata: boolean): number {
    let at = from;
    while (at < end && this.#state <= CDATA_OPEN) if (this.#open(bytes[at]!, allowsCdata)) at++;
    if (this.#state >= COMMENT_START) return this.#resumeComment(bytes, at, end);
    if (this.#state === CDATA) return this.#resumeCdata(bytes, at, end);
    if (this.#state !== BOGUS_COMMENT) return -1;
    const close = skipTo(0x3e, bytes, at, end);
    return close === end ? -1 : close + 1;
  }

  /** Takes a byte of the opening; returns false if the byte is content of a bogus comment. */
  #open(byte: number, allowsCdata: boolean): boolean {
    if (byte === 0x2d && this.#state === OPEN) this.#state = OPEN_DASH;
    else if (byte === 0x2d && this.#state === OPEN_DASH) this.#state = COMMENT_START;
    else if (allowsCdata && this.#state !== OPEN_DASH && byte === CDATA_NAME[this.#matched]) {
      this.#state = ++this.#matched === CDATA_NAME.length ? CDATA : CDATA_OPEN;
      if (this.#state === CDATA) this.#matched = 0;
    } else {
      this.#state = BOGUS_COMMENT;
      return false;
    }
    return true;
  }

  #resumeComment(bytes: Uint8Array, from: number, end: number): number {
    let state = this.#state;
    let at = from;
    while (at < end) {
      const byte = bytes[at++]!;
      if (state === COMMENT) {
        if (byte === 0x2d) state = COMMENT_DASH;
      } else if (byte === 0x2d) {
        if (state === COMMENT_START) state = COMMENT_START_DASH;
        else state = state === COMMENT_BANG ? COMMENT_DASH : COMMENT_DASH_DASH;
      } else if (byte === 0x3e && state !== COMMENT_DASH) {
        return at;
      } else {
        state = byte === 0x21 && state === COMMENT_DASH_DASH ? COMMENT_BANG : COMMENT;
      }
    }
    this.#state = state;
    return -1;
  }

  #resumeCdata(bytes: Uint8Array, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === 0x5d) this.#matched = Math.min(this.#matched + 1, 2);
      else if (byte === 0x3e && this.#matched === 2) return at + 1;
      else this.#matched = 0;
    }
    return -1;
  }
}
