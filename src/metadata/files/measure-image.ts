/** Finds the type and the size of an image in its first bytes. */
import { imageDimensionsFromData } from 'image-dimensions';
import { decodeXmlBytes, getLocalName, scanXml } from './scan-xml.ts';

export interface MeasuredImage {
  /** The media type by the contents. */
  type: string;
  /** Pixels as stored: an EXIF rotation is not applied. Null if the bytes at hand do not tell. */
  width: number | null;
  height: number | null;
}

/** A size is at this depth of a real image; the rest is pixels. */
const MAX_MEASURED_BYTES = 262_144;
const SVG = 'image/svg+xml';

/** The first bytes (latin1) of types that browsers show, and of those that images on the web often have. */
const MAGIC: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1A\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftypavi[fso]/s],
  ['image/heic', /^.{4}ftyp(?:mif1|msf1|hei[cxms]|hev[cxms])/s],
  ['image/jxl', /^(?:\xFF\x0A|\0\0\0\x0CJXL )/],
  ['image/x-icon', /^\0\0\x01\0[^\0]\0/],
  ['image/bmp', /^BM.{4}\0{4}/s],
  ['image/tiff', /^(?:II\*\0|MM\0\*)/],
];

/**
 * Returns the type and size of an image that starts with `bytes`, or null if they are no image. SVG has no
 * magic number, so `declaredType`, a Content-Type, must name it, as browsers require.
 */
export function measureImage(bytes: Buffer, declaredType: string | null): MeasuredImage | null {
  const start = bytes.subarray(0, MAX_MEASURED_BYTES);
  if (declaredType?.trim().toLowerCase().startsWith(SVG) === true) {
    const size = findSvgSize(decodeXmlBytes(start, null));
    if (size !== null) return { type: SVG, ...size };
  }
  const head = start.toString('latin1', 0, 16);
  const type = MAGIC.find(([, magic]) => magic.test(head))?.[0];
  if (type === undefined) return null;
  const size = findSize(start, type);
  if (size === null) return { type, width: null, height: null };
  return size.width > 0 && size.height > 0 ? { type, ...size } : null;
}

function findSize(bytes: Buffer, type: string): { type?: string; width: number; height: number } | null {
  if (type === 'image/x-icon') return findIconSize(bytes);
  if (type === 'image/bmp') return findBitmapSize(bytes);
  try {
    const found = imageDimensionsFromData(bytes);
    if (found === undefined) return null;
    // An AVIF may name its brand after a general one.
    return { type: `image/${found.type}`, width: found.width, height: found.height };
  } catch {
    // A hostile file may make the library exceed the stack or read outside of the file.
    return null;
  }
}

/** Returns the largest image of an icon's directory; a side of 0 means 256. */
function findIconSize(bytes: Buffer): { width: number; height: number } | null {
  const count = Math.min(bytes[4]!, Math.floor((bytes.length - 6) / 16));
  let largest: { width: number; height: number } | null = null;
  for (let n = 0; n < count; n++) {
    const width = bytes[6 + 16 * n]! || 256;
    const height = bytes[7 + 16 * n]! || 256;
    if (largest === null || width * height > largest.width * largest.height) largest = { width, height };
  }
  return largest;
}

/** The height is negative if the rows are stored from the top. */
function findBitmapSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 26) return null;
  // The header of OS/2 has 16-bit sides.
  if (bytes.readUInt32LE(14) === 12) return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
  return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };
}

// Reads the size of an SVG from its root element (SVG 2 §8.9, «intrinsic sizing»).

interface Size {
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
function findSvgSize(text: string): Size | null {
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
