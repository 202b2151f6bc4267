import { trimSpaces } from '#html';
import { INITIAL_EM, VIEWPORT, matchCondition, normalizeBlanks } from './match-media.ts';

/** An image that a browser may load for an element. */
export interface ImageCandidate {
  url: string;
  /** "2x", "800w", or "". */
  descriptor: string;
  /** Image pixels per CSS pixel. */
  density: number;
  /** It is the `src` of the element. */
  isSrc: boolean;
}

/** The candidates of an img or source element. */
interface CandidateSet {
  /** As a browser would load them, without those that it can never select. */
  candidates: readonly ImageCandidate[];
  /** The srcset or the sizes have something that is not known here. */
  isUncertain: boolean;
}

/** More than any document needs for one image. */
const MAX_CANDIDATES = 100;
const DESCRIPTOR = /^(?:(?<width>[1-9]\d{0,8})w|(?<density>[1-9]\d{0,3}(?:\.\d{1,4})?)x)?$/;

/** Lists the candidates of an element (HTML standard §4.8.4.3.12, "normalize the source densities"). */
export function listCandidates(attributes: { srcset: string; sizes: string; src: string }): CandidateSet {
  const all = parseSrcset(attributes.srcset);
  const parsed = all.slice(0, MAX_CANDIDATES).map((one) => ({ ...one, ...parseDescriptor(one.descriptors) }));
  const known = parsed.filter(({ isKnown }) => isKnown);
  const hasWidths = known.some(({ width }) => width !== null);
  const size = hasWidths ? computeSourceSize(attributes.sizes) : VIEWPORT.width;
  const candidates = known.map(({ url, descriptors, width, density }): ImageCandidate => ({
    url,
    descriptor: descriptors,
    density: width === null ? density : Math.fround(width / (size ?? VIEWPORT.width)),
    isSrc: false,
  }));
  const src = trimSpaces(attributes.src);
  if (src !== '' && !hasWidths) candidates.push({ url: src, descriptor: '', density: 1, isSrc: true });
  return { candidates, isUncertain: size === null || known.length < all.length };
}

/**
 * Selects as Chromium does if a CSS pixel is a device pixel: the lowest density from 1 on, or the highest;
 * of equal ones the first. Null without candidates.
 */
export function selectCandidate(candidates: readonly ImageCandidate[]): ImageCandidate | null {
  const densities = candidates.map(({ density }) => density);
  const enough = densities.filter((density) => density >= 1);
  const wanted = enough.length > 0 ? Math.min(...enough) : Math.max(...densities);
  return candidates.find(({ density }) => density === wanted) ?? null;
}

function parseDescriptor(text: string): { isKnown: boolean; width: number | null; density: number } {
  const groups = DESCRIPTOR.exec(text)?.groups;
  if (groups === undefined) return { isKnown: false, width: null, density: 1 };
  const { width, density } = groups;
  return {
    isKnown: true,
    width: width === undefined ? null : Number(width),
    density: density === undefined ? 1 : Math.fround(Number(density)),
  };
}

const ENTRY = /^(?:(?<condition>\(.*\)) ?)?(?:calc\((?<sum>[^()]+)\)|(?<length>[^()]+))$/;
const LENGTH = /^(?<value>\d{1,6}(?:\.\d{1,6})?)(?<unit>px|vw|em)$/;
const PIXELS: Record<string, number> = { px: 1, em: INITIAL_EM, vw: VIEWPORT.width / 100 };
/** Text of up to 1,000 ASCII characters: other white space is none in CSS. */
const KNOWN = /^[\t\n\f\r -~]{0,1000}$/;

/**
 * Computes the width in pixels that a `sizes` attribute gives while a document for print is loaded (HTML
 * standard §4.8.4.2.4). Null if it has something that is not known here.
 */
function computeSourceSize(sizes: string): number | null {
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

/** An image candidate string of a srcset attribute. */
interface SrcsetCandidate {
  url: string;
  /** The descriptors as they are written, without white space around them: "2x", "800w", "". */
  descriptors: string;
}

/** White space as HTML defines it: \s has more. */
const BETWEEN_CANDIDATES = /[\t\n\f\r ,]*/y;
const URL_WITH_COMMAS = /[^\t\n\f\r ]*/y;

/**
 * Lists the candidates of a srcset attribute in order (HTML standard §4.8.4.2.2, "parse a srcset attribute"),
 * also those whose descriptors are not valid. Takes time proportional to the length.
 */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let start = skip(BETWEEN_CANDIDATES, value, 0);
  while (start < value.length) {
    const blank = skip(URL_WITH_COMMAS, value, start);
    let end = blank;
    while (value[end - 1] === ',') end -= 1;
    // A comma at the end of the URL ends the candidate: it has no descriptors.
    const next = end < blank ? blank : skipDescriptors(value, blank);
    candidates.push({ url: value.slice(start, end), descriptors: trimSpaces(value.slice(blank, next)) });
    start = skip(BETWEEN_CANDIDATES, value, next);
  }
  return candidates;
}

/** Returns the offset of the next comma outside of parentheses, which the end of the text closes. */
function skipDescriptors(value: string, from: number): number {
  let at = from;
  while (at < value.length && value[at] !== ',') {
    const close = value[at] === '(' ? value.indexOf(')', at) : at;
    if (close < 0) return value.length;
    at = close + 1;
  }
  return at;
}

/** Returns the offset after what the sticky pattern matches at `from`. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

const SUPPORTED =
  /^image\/(?:avif|webp|png|apng|jpeg|jpg|pjpeg|gif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const UNSUPPORTED = /^image\/(?:jxl|jp2|jpx|jxr|vnd\.ms-photo|heic|heif|tiff)$/;

/** Checks whether Chromium shows images of this type. Null for one that is not known here. */
export function supportsImageType(type: string): boolean | null {
  const name = trimSpaces(type).toLowerCase();
  if (name === '' || SUPPORTED.test(name)) return true;
  return UNSUPPORTED.test(name) ? false : null;
}
