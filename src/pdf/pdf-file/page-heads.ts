import { constants, inflateSync } from 'node:zlib';
import { runInSlices } from '#concurrency';
import { scanPages } from './scan-pages.ts';
import { type ByteRange, findObjectBody, parseObjectTable } from './object-table.ts';

/** Longer than the dictionary of a content stream. */
const DICTIONARY_BYTES = 200;
/** The fewest compressed bytes that are decoded. Content streams hold four times as many or more. */
const COMPRESSED_BYTES = 512;

function decodeHead(pdf: Buffer, body: ByteRange | null, maxBytes: number): string {
  if (body === null) return '';
  const dictionary = /^[^]*?>> stream\n/.exec(
    pdf.toString('latin1', body.from, body.from + DICTIONARY_BYTES),
  )?.[0];
  if (dictionary === undefined) return '';
  const stream = pdf.subarray(body.from + dictionary.length, body.to);
  const head = dictionary.includes('/FlateDecode')
    ? inflateHead(stream, maxBytes)
    : stream.subarray(0, maxBytes);
  return head.toString('latin1');
}

/**
 * Decodes the beginning of a zlib stream (RFC 1950): at most `maxBytes`; none if it is malformed. The output
 * is bounded by the input, at 1,032 times its size.
 */
function inflateHead(stream: Buffer, maxBytes: number): Buffer {
  try {
    return inflateSync(stream.subarray(0, Math.max(COMPRESSED_BYTES, maxBytes / 4)), {
      // The stream is cut off.
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: Math.max(constants.Z_MIN_CHUNK, maxBytes),
    }).subarray(0, maxBytes);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The area of a sheet for its document: CSS pixels from the upper left corner, and the scale. */
export interface PageArea {
  left: number;
  top: number;
  scale: number;
}

/** The units of a page's content: 300 per inch, of 96 pixels. */
const UNITS_PER_PIXEL = 300 / 96;
/** The transformation comes first on a page, except for backgrounds and the texts of margin boxes. */
const AREA_BYTES = 8_192;
/** It is within these on most pages, which cost a tenth to inflate. */
const FIRST_BYTES = 256;
/**
 * Matches the clip of a page's content, and then its scale and position. Turned pages and vertical writing do
 * not match.
 */
const PAGE_TRANSFORM =
  /(?:^|\n)(-?[\d.]+) (-?[\d.]+) [\d.]+ [\d.]+ re\nW\* n\nq\n([\d.]+) 0 0 \3 [\d.]+ -?[\d.]+ cm\n/;

/**
 * Yields the areas of the first `maxPages` pages of a PDF by Chromium. Null: a turned page, or one without
 * content.
 */
export function* listPageAreas(
  pdf: Buffer,
  maxPages = Infinity,
): Generator<PageArea | null, void, undefined> {
  const table = parseObjectTable(pdf);
  if (table === null) return;
  let left = maxPages;
  for (const { dictionary } of scanPages(pdf, table)) {
    const contents = Number(/\/Contents\s+(\d+)/.exec(dictionary)?.[1] ?? Infinity);
    const body = findObjectBody(pdf, table, contents);
    yield parseArea(decodeHead(pdf, body, FIRST_BYTES)) ?? parseArea(decodeHead(pdf, body, AREA_BYTES));
    left -= 1;
    if (left === 0) return;
  }
}

function parseArea(head: string): PageArea | null {
  const found = PAGE_TRANSFORM.exec(head)?.slice(1) ?? [];
  const [left, top, scale] = found.map((units) => Number(units) / UNITS_PER_PIXEL);
  return left === undefined || top === undefined || scale === undefined ? null : { left, top, scale };
}

/** The longest side of a sheet that PDF viewers can show, in points (ISO 32000-1, annex C). */
const MAX_SIDE_POINTS = 14_400;

/** A slice that contains only boxes takes 10 ms. */
const SLICE_BYTES = 256 * 1024;
/** A box that begins in a slice may end after it. */
const BOX_BYTES = 64;

/**
 * Checks whether a page of a PDF by Chromium is larger than viewers can show. Yields between slices of a
 * large PDF.
 */
export async function hasGiantPage(pdf: Buffer): Promise<boolean> {
  if (pdf.length <= SLICE_BYTES) return hasGiantBox(pdf);
  let from = 0;
  let isGiant = false;
  await runInSlices(() => {
    isGiant = hasGiantBox(pdf.subarray(from, from + SLICE_BYTES + BOX_BYTES));
    from += SLICE_BYTES;
    return isGiant || from >= pdf.length;
  });
  return isGiant;
}

function hasGiantBox(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/MediaBox'); at >= 0; at = bytes.indexOf('/MediaBox', at + 9)) {
    const [, width, height] =
      /^\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(bytes.toString('latin1', at, at + BOX_BYTES)) ?? [];
    if (Number(width) > MAX_SIDE_POINTS || Number(height) > MAX_SIDE_POINTS) return true;
  }
  return false;
}
