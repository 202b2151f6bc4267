import { scanHtml } from '#html';
import { LRUCache } from 'lru-cache';

/** Distances from the edges of the sheet to the inner ends of the header and the footer, in pixels. */
export type Heights = readonly [top: number, bottom: number];

const MAX_ENTRIES = 500;
/** Larger templates are measured each time. */
const MAX_LENGTH = 16 * 1024;

/**
 * The heights of headers and footers that were measured, for the same API key: most documents of a key have
 * the same ones, but for numbers.
 */
export class TemplateHeights {
  readonly #heights = new LRUCache<string, Heights>({ max: MAX_ENTRIES });

  /** Returns the heights of the header and footer in `html`; measures them if they are not known. */
  async find(keyId: string, html: string, measure: () => Promise<Heights | null>): Promise<Heights | null> {
    if (html.length > MAX_LENGTH) return measure();
    const key = `${keyId} ${maskNumbers(html)}`;
    const known = this.#heights.get(key);
    if (known) return known;
    const heights = await measure();
    if (heights) this.#heights.set(key, heights);
    return heights;
  }
}

/**
 * Replaces the digits of text: numbers of as many digits are as wide. Those of tags, styles and character
 * references stay.
 */
function maskNumbers(html: string): string {
  let masked = '';
  for (const { kind, start, end } of scanHtml(html)) {
    const source = html.slice(start, end);
    masked += kind === 'text' ? source.replace(REFERENCE_OR_DIGIT, maskDigit) : source;
  }
  return masked;
}

const REFERENCE_OR_DIGIT = /&#?\w+|\d/g;

function maskDigit(match: string): string {
  return match.startsWith('&') ? match : '0';
}
