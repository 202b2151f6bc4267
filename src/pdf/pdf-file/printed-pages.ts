import { findObjectText, parseObjectTable } from './object-table.ts';
import { type PageArea, listPageAreas } from './page-heads.ts';
import { scanPages } from './scan-pages.ts';

/** The size of a page in CSS pixels. */
interface PageSize {
  width: number;
  height: number;
}

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
  readonly sizes: PageSize[] = [];
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
    for (const { number, dictionary } of scanPages(pdf, table)) {
      indexes.set(number, this.sizes.length);
      const [left = 0, bottom = 0, right = 0, top = 0] =
        MEDIA_BOX.exec(dictionary)?.slice(1).map(Number) ?? [];
      this.sizes.push({
        width: (right - left) / POINTS_PER_PIXEL,
        height: (top - bottom) / POINTS_PER_PIXEL,
      });
    }
    const names = /\/Dests (\d+) 0 R/.exec(findObjectText(pdf, table, table.rootNumber))?.[1];
    if (names === undefined) return;
    for (const [, name = '', number, left, bottom] of findObjectText(pdf, table, Number(names)).matchAll(
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
