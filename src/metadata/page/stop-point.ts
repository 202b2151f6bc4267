/** Computes the position up to which a page must be read to describe it, from what was seen of it so far. */

/** Reading stops so long after the head or the last tag. */
const TRAILING_BYTES = 4_096;
/** The same after the head of a page without an `og:title`: some pages have theirs in the body. */
const TRAILING_BYTES_WITHOUT_CARD = 65_536;

export class StopPoint {
  /** The end of the head (`</head>`), or the start of `<body>`; -1 until it is seen. */
  headEnd = -1;
  /** The end of the first title that is not blank; -1 until it is seen. */
  titleEnd = -1;
  /** The end of the last meta or link. */
  lastTagEnd = 0;
  /** An `og:title` was seen: other tags, such as `og:site_name`, may be far before those of the page. */
  hasCard = false;
  #stopsEarly: boolean;

  constructor(stopsEarly: boolean) {
    this.#stopsEarly = stopsEarly;
  }

  /**
   * Returns the position after which no tag changes the description: Infinity until the title and the end of
   * the head are seen. A tag that only belongs in a body does not end the head: it may be misplaced.
   */
  compute(): number {
    const enough = this.computeEnough();
    return this.hasCard ? enough : Math.max(enough, this.headEnd + TRAILING_BYTES_WITHOUT_CARD);
  }

  /** Returns the same for a page that has its Open Graph tags in the head, if it has any. */
  computeEnough(): number {
    if (this.titleEnd < 0 || this.headEnd < 0 || !this.#stopsEarly) return Infinity;
    return Math.max(this.lastTagEnd, this.titleEnd, this.headEnd) + TRAILING_BYTES;
  }
}
