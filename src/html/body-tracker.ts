/** Tracks the start of a page's body, and whether it is a frameset (WHATWG HTML §13.2.6.4.6–7). */
import { isSpace } from './bytes.ts';
import { isHeadElement, TAG, type TagId } from './tag-names.ts';

/** The start tags after which a frameset is ignored. */
const RULES_OUT_FRAMES = new Set(
  (
    'applet area body br button dd dt embed hr iframe img input keygen li listing marquee object plaintext pre select table ' +
    'textarea wbr xmp'
  ).split(' '),
);

export class BodyTracker {
  /** The start of the first tag that opens the body (`<body>`, or one that cannot be in a head), or -1. */
  bodyStart = -1;
  /** The page consists of frames: of all further tags, only html and noframes count. */
  hasFrames = false;
  /** Neither text nor a tag of RULES_OUT_FRAMES was seen. */
  isFramesetPossible = true;

  /** Receives the bytes between two tags: [start, end). */
  onText(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== 0 && !isSpace(byte)) {
        this.isFramesetPossible = false;
        return;
      }
    }
  }

  /** Receives a start tag. Returns true if it makes this a page of frames, whose body so far is discarded. */
  onStartTag(id: TagId, start: number, getName: () => string): boolean {
    const isFirst = this.bodyStart < 0 && !isHeadElement(id);
    if (id === TAG.frameset && this.isFramesetPossible && !this.hasFrames) this.hasFrames = true;
    else if (this.isFramesetPossible && !isHeadElement(id) && RULES_OUT_FRAMES.has(getName()))
      this.isFramesetPossible = false;
    if (isFirst) this.bodyStart = start;
    return id === TAG.frameset && this.hasFrames;
  }
}
