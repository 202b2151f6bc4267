import { decodeHTML } from 'entities';
import { unescapeCss } from './css-tokens.ts';

/** Characters that CSS makes: quotes, list markers, hyphens, counters. */
const GENERATED = '“”‘’«»‹›„‚•◦▪▸▾‐-…0123456789.';
const RANGE = /^u\+([0-9a-f?]{1,6})(?:-([0-9a-f]{1,6}))?$/i;
const MAX_CODE_POINT = 0x10_ff_ff;

/** The characters that a document may show. */
export class FontCoverage {
  readonly #html: string;
  /** One byte for each code point up to the last one that occurs; made when it is needed. */
  #occurring: Uint8Array | null = null;

  constructor(html: string) {
    this.#html = html;
  }

  /**
   * Checks whether the document may have characters of a font's unicode-range (CSS Fonts Module Level 4
   * §4.5). A browser loads no font without any.
   */
  mayUse(unicodeRange: string | null): boolean {
    if (unicodeRange === null) return true;
    const occurring = (this.#occurring ??= collectCodePoints(collectText(this.#html)));
    for (const part of unicodeRange.split(',')) {
      const [, first, last] = RANGE.exec(part.trim()) ?? [];
      if (first === undefined) return true;
      const from = Number.parseInt(first.replaceAll('?', '0'), 16);
      const to = Number.parseInt(last ?? first.replaceAll('?', 'f'), 16);
      if (occurring.subarray(from, to + 1).includes(1)) return true;
    }
    return false;
  }
}

/** Returns the source with what its escapes and text transformations stand for. */
function collectText(html: string): string {
  const texts = [html, GENERATED];
  if (html.includes('&')) texts.push(decodeHTML(html));
  if (html.includes('\\')) texts.push(unescapeCss(html));
  const all = texts.join('');
  return /[^\0-\u007f]/.test(all) ? all + all.toUpperCase() + all.toLowerCase() : all;
}

function collectCodePoints(text: string): Uint8Array {
  const occurring = new Uint8Array(MAX_CODE_POINT + 1);
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    occurring[point] = 1;
    if (point > 0xff_ff) at += 1;
  }
  return occurring;
}
