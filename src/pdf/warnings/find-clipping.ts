import { listPageHeads } from '../pdf-file/page-heads.ts';

/** Chromium shrinks a document that is wider than its page, at most by this factor, and clips the rest. */
const MAX_SHRINK = 1.5;
/** The units of a page's content: 300 per inch, of 96 pixels. */
const UNITS_PER_PIXEL = 300 / 96;
const TOLERANCE = 1e-4;
/** Pages without content say nothing, and all others have the same scale. */
const MAX_PAGES = 8;
/** The transformation comes first on a page, except for backgrounds and the texts of margin boxes. */
const HEAD_BYTES = [256, 8_192];

/**
 * Matches the clip of a page's content, and then its scale and position. Turned pages and vertical writing do
 * not match.
 */
const PAGE_TRANSFORM = /(?:^|\n)[\d. -]+ re\nW\* n\nq\n([\d.]+) 0 0 \1 [\d.]+ -?[\d.]+ cm\n/;

export const CLIPPED =
  'The document is more than 1.5 times as wide as its page: it was shrunk to two thirds, and the rest was cut off.';

/**
 * Checks whether content was cut off at the edge of its page. A PDF by Chromium does not contain what was cut
 * off, but the scale of its pages, which is the smallest one then. `scale` is that of the request.
 */
export function isClipped(pdf: Buffer, scale: number): boolean {
  for (const maxBytes of HEAD_BYTES) {
    for (const head of listPageHeads(pdf, { maxPages: MAX_PAGES, maxBytes })) {
      const pageScale = PAGE_TRANSFORM.exec(head)?.[1];
      if (pageScale === undefined) continue;
      return Math.abs((Number(pageScale) * MAX_SHRINK) / (UNITS_PER_PIXEL * scale) - 1) < TOLERANCE;
    }
  }
  return false;
}
