/** Computes the position up to which a page must be read to describe it, from what was seen of it so far. */

/** Reading stops so long after the head or the last tag: 1 of 279 real pages has a later one. */
const TRAILING_BYTES = 4_096;
/** The same for a page that never says where its head ends. */
const TRAILING_BYTES_WITHOUT_HEAD = 65_536;

export class StopPoint {
  /** The end of the head (`</head>`), or the start of `<body>`; -1 until it is seen. */
  headEnd = -1;
  /** The end of the first title that is not blank; -1 until it is seen. */
  titleEnd = -1;
  /** The end of the last meta or link. */
  lastTagEnd = 0;
  #stopsEarly: boolean;

  constructor(stopsEarly: boolean) {
    this.#stopsEarly = stopsEarly;
  }

  /**
   * Returns the position after which no tag changes the description: Infinity until the title and the end of
   * the head are seen. `bodyStart`: the first tag that opens the body, or -1.
   */
  compute(bodyStart: number): number {
    if (this.titleEnd < 0 || !this.#stopsEarly) return Infinity;
    const seenTo = Math.max(this.lastTagEnd, this.titleEnd);
    if (this.headEnd >= 0) return Math.max(seenTo, this.headEnd) + TRAILING_BYTES;
    return bodyStart < 0 ? Infinity : Math.max(seenTo, bodyStart) + TRAILING_BYTES_WITHOUT_HEAD;
  }
}
