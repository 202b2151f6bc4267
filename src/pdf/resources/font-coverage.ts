import { decodeHTML } from 'entities';
import { unescapeCss } from './scan-css.ts';

/** Characters that CSS makes: quotes, list markers, hyphens, counters. */
const GENERATED = '“”‘’«»‹›„‚•◦▪▸▾‐-…0123456789.';
const RANGE = /^u\+([0-9a-f?]{1,6})(?:-([0-9a-f]{1,6}))?$/i;
const MAX_CODE_POINT = 0x10_ff_ff;
/** Longer texts and lists of ranges are not searched: they use every font. */
const MAX_LENGTH = 256 * 1024;
const MAX_RANGES = 256;

/** The characters that a document may show. */
export class FontCoverage {
  readonly #html: string;
  /** The code points that occur, in order; made when they are needed. */
  #occurring: Uint32Array | null = null;

  constructor(html: string) {
    this.#html = html;
  }

  /**
   * Checks whether the document may have characters of a font's unicode-range (CSS Fonts Module Level 4
   * §4.5). A browser loads no font without any.
   */
  mayUse(unicodeRange: string | null): boolean {
    if (unicodeRange === null || this.#html.length > MAX_LENGTH) return true;
    const ranges = unicodeRange.split(',', MAX_RANGES);
    return ranges.length === MAX_RANGES || ranges.some((range) => this.#hasAny(range.trim()));
  }

  #hasAny(range: string): boolean {
    const [, first, last] = RANGE.exec(range) ?? [];
    if (first === undefined) return true;
    const from = Number.parseInt(first.replaceAll('?', '0'), 16);
    const to = Number.parseInt(last ?? first.replaceAll('?', 'f'), 16);
    const occurring = (this.#occurring ??= listCodePoints(collectText(this.#html)));
    const next = occurring[findFirstAtLeast(occurring, from)];
    return next !== undefined && next <= to;
  }
}

/** Returns the index of the first number that is not smaller than `wanted`, by binary search. */
function findFirstAtLeast(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the source with what its escapes and text transformations stand for. */
function collectText(html: string): string {
  const texts = [html, GENERATED];
  if (html.includes('&')) texts.push(decodeHTML(html));
  if (html.includes('\\')) texts.push(unescapeCss(html));
  const all = texts.join('');
  return /[^\0-\u007f]/.test(all) ? all + all.toUpperCase() + all.toLowerCase() : all;
}

function listCodePoints(text: string): Uint32Array {
  const occurs = new Uint8Array(MAX_CODE_POINT + 1);
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    occurs[point] = 1;
    if (point > 0xff_ff) at += 1;
  }
  const points: number[] = [];
  for (let at = occurs.indexOf(1); at >= 0; at = occurs.indexOf(1, at + 1)) points.push(at);
  return Uint32Array.from(points);
}
