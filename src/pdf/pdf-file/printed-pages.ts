import { constants, inflateSync } from 'node:zlib';
import { runInSlices } from '#concurrency';
import {
  type ByteRange,
  findObjectBody,
  findObjectText,
  parseObjectTable,
  scanPages,
} from './object-table.ts';

/** The upper left corner of an element, in CSS pixels (1/96 in) from that of its sheet. */
export interface Position {
  /** From 0. */
  page: number;
  x: number;
  y: number;
}

const POINTS_PER_PIXEL = 72 / 96;
const MEDIA_BOX = /\/MediaBox \[(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\]/;
/**
 * An entry of the names that links refer to (ISO 32000-1 §12.3.2.3), with its page and its place there:
 * `/chapter#201 [3 0 R /XYZ 6 829.9 0]`.
 */
const DESTINATION = /\/([^\s/<>[\]()]+)\s*\[(\d+) 0 R\s*\/XYZ (-?[\d.]+) (-?[\d.]+)/g;

/** The pages of a PDF by Chromium, and where the targets of its links are. None of any other file. */
export class PrintedPages {
  /** In CSS pixels. */
  readonly sizes: { width: number; height: number }[] = [];
  /** The pages of the targets of links, from 0, by the fragments of their URLs. */
  readonly targets = new Map<string, number>();
  /** Chromium writes places as if a page had no margins and no scale: pixels from its area. */
  readonly #places = new Map<string, { x: number; y: number }>();
  readonly #pdf: Buffer;
  #areas: (PageArea | null)[] | null = null;

  constructor(pdf: Buffer) {
    this.#pdf = pdf;
    const table = parseObjectTable(pdf);
    if (table === null) return;
    const indexes = new Map<number, number>();
    for (const { number, dictionary } of scanPages(table)) {
      indexes.set(number, this.sizes.length);
      const [width, height] = toSides(dictionary);
      this.sizes.push({ width: width / POINTS_PER_PIXEL, height: height / POINTS_PER_PIXEL });
    }
    const names = /\/Dests (\d+) 0 R/.exec(findObjectText(table, table.rootNumber))?.[1];
    if (names === undefined) return;
    for (const [, name = '', number, left, bottom] of findObjectText(table, Number(names)).matchAll(
      DESTINATION,
    )) {
      const page = indexes.get(Number(number)) ?? -1;
      const height = this.sizes[page]?.height;
      if (height === undefined) continue;
      const [x, y] = [Number(left) / POINTS_PER_PIXEL, height - Number(bottom) / POINTS_PER_PIXEL];
      this.targets.set(decodeName(name), page);
      this.#places.set(decodeName(name), { x, y });
    }
  }

  get count(): number {
    return this.sizes.length;
  }

  /**
   * Finds where a target is on its sheet; null without it, and on a page that is turned or too blank to tell.
   * The bytes of the PDF must still be here.
   */
  locate(name: string): Position | null {
    const [page, place] = [this.targets.get(name), this.#places.get(name)];
    if (page === undefined || place === undefined) return null;
    this.#areas ??= [...listPageAreas(this.#pdf)];
    const area = this.#areas[page];
    return area ? { page, x: area.left + place.x * area.scale, y: area.top + place.y * area.scale } : null;
  }
}

/** Decodes a name (ISO 32000-1 §7.3.5). A fragment has only ASCII characters. */
function decodeName(name: string): string {
  return name.replace(/#([\dA-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

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
  for (const { dictionary } of scanPages(table)) {
    const contents = Number(/\/Contents\s+(\d+)/.exec(dictionary)?.[1] ?? Infinity);
    const body = findObjectBody(table, contents);
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

/** Checks whether a page of a PDF by Chromium is larger than viewers can show. Yields between its pages. */
export async function hasGiantPage(pdf: Buffer): Promise<boolean> {
  const table = parseObjectTable(pdf);
  const pages = table && scanPages(table);
  let isGiant = false;
  await runInSlices(() => {
    const { value: page } = pages?.next() ?? {};
    isGiant = page !== undefined && toSides(page.dictionary).some((side) => side > MAX_SIDE_POINTS);
    return isGiant || page === undefined;
  });
  return isGiant;
}

/** Returns the width and the height of a page in points. */
function toSides(dictionary: string): [width: number, height: number] {
  const [left = 0, bottom = 0, right = 0, top = 0] = MEDIA_BOX.exec(dictionary)?.slice(1).map(Number) ?? [];
  return [right - left, top - bottom];
}
