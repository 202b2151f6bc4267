import { INITIAL_EM, matchCondition, normalizeBlanks, VIEWPORT } from './match-media.ts';

const ENTRY = /^(?:(?<condition>\(.*\)) ?)?(?:calc\((?<sum>[^()]+)\)|(?<length>[^()]+))$/;
const LENGTH = /^(?<value>\d{1,6}(?:\.\d{1,6})?)(?<unit>px|vw|em)$/;
const PIXELS: Record<string, number> = { px: 1, em: INITIAL_EM, vw: VIEWPORT.width / 100 };
/** Text of up to 1,000 ASCII characters: other white space is none in CSS. */
const KNOWN = /^[\t\n\f\r -~]{0,1000}$/;

/**
 * Computes the width in pixels that a `sizes` attribute gives while a document for print is loaded (HTML
 * standard §4.8.4.2.4). Null if it has something that is not known here.
 */
export function computeSourceSize(sizes: string): number | null {
  if (!KNOWN.test(sizes)) return null;
  const list = normalizeBlanks(sizes);
  if (list === '') return VIEWPORT.width;
  for (const entry of list.toLowerCase().split(',')) {
    const { condition, sum, length } = ENTRY.exec(entry.trim())?.groups ?? {};
    const isMatching = condition === undefined ? true : matchCondition(condition);
    const pixels = sum === undefined ? toPixels(length ?? '') : addLengths(sum);
    if (isMatching === null || !(pixels > 0)) return null;
    if (isMatching) return pixels;
  }
  return VIEWPORT.width;
}

/** Computes a sum of lengths in pixels; NaN if it is anything else. */
function addLengths(text: string): number {
  const [first = '', ...rest] = text.trim().split(/ ([+-]) /);
  let pixels = toPixels(first);
  for (let at = 0; at < rest.length; at += 2)
    pixels += (rest[at] === '-' ? -1 : 1) * toPixels(rest[at + 1] ?? '');
  return pixels;
}

/** Converts a length to pixels; NaN if it is not known here. */
function toPixels(text: string): number {
  const { value, unit } = LENGTH.exec(text)?.groups ?? {};
  return Number(value) * (PIXELS[unit ?? ''] ?? NaN);
}
