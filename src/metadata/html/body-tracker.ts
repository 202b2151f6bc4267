/** Where a page's body begins, and whether it is a page of frames, whose other content is dropped (WHATWG HTML §13.2.6.4.6–7, «frameset-ok»). */
import { isHeadElement, TAG, type TagId } from './tag-names.ts';

/** The start tags after which a frameset is ignored. */
const RULES_OUT_FRAMES = new Set(
  (
    'applet area body br button dd dt embed hr iframe img input keygen li listing marquee object plaintext pre select table ' +
    'textarea wbr xmp'
  ).split(' '),
);

export class BodyWatch {
  /** The start of the first tag that opens the body, or -1: `<body>` itself, or anything that cannot stand in a head. */
  bodyStart = -1;
  /** Only html and noframes count from here on. */
  hasFrames = false;
  /** Neither text nor one of those tags has come yet. */
  isFramesetPossible = true;

  /** Takes what stands between two tags. */
  text(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (
        byte > 0x20 ||
        (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d && byte !== 0x0c && byte !== 0)
      ) {
        this.isFramesetPossible = false;
        return;
      }
    }
  }

  /** Takes a start tag of the document; true when it makes this a page of frames, which drops what its body held so far. */
  startTag(id: TagId, start: number, name: () => string): boolean {
    const isFirst = this.bodyStart < 0 && !isHeadElement(id);
    if (id === TAG.frameset && this.isFramesetPossible && !this.hasFrames) this.hasFrames = true;
    else if (this.isFramesetPossible && !isHeadElement(id) && RULES_OUT_FRAMES.has(name()))
      this.isFramesetPossible = false;
    if (isFirst) this.bodyStart = start;
    return id === TAG.frameset && this.hasFrames;
  }
}
