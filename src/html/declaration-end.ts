/**
 * Finds the end of what follows `<!`: a comment, a CDATA section, or anything else, which ends at the next
 * `>` (WHATWG HTML §13.2.5.42–71; a doctype needs no more). Resumable at any byte.
 */
import { skipTo } from './bytes.ts';

/** After `<!`, and after `<!-`. */
const OPEN = 0;
const OPEN_DASH = 1;
/** Inside `<![CDATA[`. */
const CDATA_OPEN = 2;
const CDATA = 3;
const BOGUS_COMMENT = 4;
/** A comment ends at `-->` or `--!>`, or at once with `<!-->` and `<!--->`. */
const COMMENT_START = 5;
const COMMENT_START_DASH = 6;
const COMMENT = 7;
const COMMENT_DASH = 8;
const COMMENT_DASH_DASH = 9;
const COMMENT_BANG = 10;

const CDATA_NAME = Buffer.from('[CDATA[');

export class DeclarationEnd {
  #state = OPEN;
  /** The number of bytes seen of `[CDATA[`, or of the `]]` before a section's end. */
  #matched = 0;

  /** Starts at the byte after `<!`. */
  begin(): void {
    this.#state = OPEN;
    this.#matched = 0;
  }

  /** Starts inside of what is no declaration but ends as a bogus comment does: `<?…` and `</1…`. */
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
