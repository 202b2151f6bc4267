/** Reads the size of an SVG from its root element (SVG 2 §8.9, «intrinsic sizing»). */
import { getLocalName, scanXml } from '../xml/scan-xml.ts';

export interface Size {
  width: number | null;
  height: number | null;
}

/** CSS pixels per unit. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
};
/** Other tags and texts before the root: none may be, but some editors write them. */
const MAX_PARTS = 20;

/**
 * Returns the size of an SVG in CSS pixels: its `width` and `height`, else its `viewBox`; null if it has
 * neither. Returns null instead of a size if the text is not SVG.
 */
export function findSvgSize(text: string): Size | null {
  let parts = 0;
  for (const part of scanXml(text)) {
    if (++parts > MAX_PARTS) return null;
    if (part.kind !== 'open') continue;
    return getLocalName(part.name) === 'svg' ? computeSize(part.attributes) : null;
  }
  return null;
}

function computeSize(attributes: Readonly<Record<string, string>>): Size {
  const width = parseLength(attributes['width']);
  const height = parseLength(attributes['height']);
  const box = parseViewBox(attributes['viewBox']);
  if (box === null || (width !== null && height !== null)) return { width, height };
  const ratio = box.width / box.height;
  if (width !== null) return { width, height: toPixels(width / ratio) };
  if (height !== null) return { width: toPixels(height * ratio), height };
  return { width: toPixels(box.width), height: toPixels(box.height) };
}

/** Parses an absolute length; null for a percentage and for what is no length. */
function parseLength(text: string | undefined): number | null {
  const match = /^\s{0,9}\+?(\d{0,9}\.?\d{1,9})([a-z]{0,2})\s{0,9}$/i.exec(text ?? '');
  const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()];
  return match === null || unit === undefined ? null : toPixels(Number(match[1]) * unit);
}

function parseViewBox(text: string | undefined): { width: number; height: number } | null {
  const numbers = (text ?? '')
    .slice(0, 200)
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : null;
}

const MAX_PIXELS = 1_000_000_000;

function toPixels(value: number): number | null {
  const pixels = Math.round(value);
  return pixels > 0 && pixels <= MAX_PIXELS ? pixels : null;
}
