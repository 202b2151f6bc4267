import { trimSpaces } from '#html';
import { VIEWPORT } from './match-media.ts';
import { computeSourceSize } from './compute-source-size.ts';
import { parseSrcset } from './parse-srcset.ts';

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
export interface CandidateSet {
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
