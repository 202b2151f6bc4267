import type { Page } from '#browser';
import { formatGlyphCheck } from './glyph-check.ts';

const CODE_POINTS = 0x110000;
/** The first lookup of a character goes through the fonts of the machine: one document may not have more. */
const MAX_LOOKUPS = 500;

/** Blocks that a font has as a whole: one character of each is looked up. */
const WHOLE_BLOCKS: readonly [first: number, last: number][] = [
  [0x3041, 0x30fe],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
];

/**
 * Ranges that many documents use: Greek, Cyrillic, punctuation, currencies, letterlike symbols, arrows,
 * mathematical operators, shapes and check marks.
 */
const COMMON: readonly [first: number, last: number][] = [
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20c0],
  [0x2100, 0x214f],
  [0x2190, 0x21ff],
  [0x2200, 0x22ff],
  [0x25a0, 0x25ff],
  [0x2713, 0x2718],
];

/** The characters that the fonts of the machine have, as far as documents needed them. */
export class KnownGlyphs {
  readonly #known = new Uint8Array(CODE_POINTS);
  /** A page looks up the common characters. */
  #isLearning = false;

  /** Lists those of `codePoints` that no font of the machine has. Looks up unknown ones in a page. */
  async listMissing(page: Page, codePoints: ReadonlySet<number>): Promise<number[]> {
    const unknown = new Set<number>();
    for (const codePoint of codePoints) {
      const looked = toLookup(codePoint);
      if (this.#known[looked] === 0 && unknown.size < MAX_LOOKUPS) unknown.add(looked);
    }
    if (unknown.size > 0) await this.#lookUp(page, [...unknown]);
    return [...codePoints].filter((codePoint) => this.#known[toLookup(codePoint)] === MISSING);
  }

  /** Looks up common characters, so that the first documents that have them do not take longer. */
  async learnCommon(page: Page): Promise<void> {
    if (this.#isLearning) return;
    const codePoints = COMMON.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    ).filter((codePoint) => this.#known[codePoint] === 0);
    if (codePoints.length === 0) return;
    this.#isLearning = true;
    await this.#lookUp(page, codePoints).finally(() => {
      this.#isLearning = false;
    });
  }

  async #lookUp(page: Page, codePoints: readonly number[]): Promise<void> {
    // A generic family has no web font: the result holds for other documents.
    const missing = new Set((await page.evaluate(formatGlyphCheck(codePoints, 'sans-serif'))) as number[]);
    for (const codePoint of codePoints) this.#known[codePoint] = missing.has(codePoint) ? MISSING : PRESENT;
  }
}

const PRESENT = 1;
const MISSING = 2;

function toLookup(codePoint: number): number {
  const block = WHOLE_BLOCKS.find(([first, last]) => codePoint >= first && codePoint <= last);
  return block?.[0] ?? codePoint;
}
