/** Where a comment ends: at `-->`, `--!>`, or at once with `<!-->` and `<!--->` (WHATWG HTML §13.2.5.43–52). Resumable at any byte. */
const START = 0;
const START_DASH = 1;
const TEXT = 2;
const DASH = 3;
const DASH_DASH = 4;
const BANG = 5;

export class CommentEnd {
  #state = START;

  /** Begins at the byte after `<!--`. */
  begin(): void {
    this.#state = START;
  }

  /** The index after the comment, or -1 when its end is not among the bytes up to `end`. */
  resume(bytes: Uint8Array, from: number, end: number): number {
    let state = this.#state;
    let at = from;
    while (at < end) {
      const byte = bytes[at++]!;
      if (state === TEXT) {
        if (byte === 0x2d) state = DASH;
      } else if (byte === 0x2d) {
        state = state === START ? START_DASH : state === BANG ? DASH : DASH_DASH;
      } else if (byte === 0x3e && state !== DASH) {
        return at;
      } else {
        state = byte === 0x21 && state === DASH_DASH ? BANG : TEXT;
      }
    }
    this.#state = state;
    return -1;
  }
}
