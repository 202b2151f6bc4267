import type { Page } from '#browser';
import type { Warnings } from './warnings.ts';

/** A character for private use at the end of Unicode: without a font of its own for it, none has it. */
const NO_CHARACTER = 0x10fffd;
/** Different characters of one document and one font that are checked. */
const MAX_CHECKS = 300;

/**
 * Declares `isMissing(character, font)`: a character without a glyph is drawn like one that no font has. Runs
 * in the isolated world, also if the document's scripts are off.
 */
const DECLARE_CHECK = `
  const SIZE = 48;
  const context = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
    .getContext('2d', { willReadFrequently: true });
  const draw = (text) => {
    context.clearRect(0, 0, SIZE, SIZE);
    context.fillText(text, SIZE / 6, SIZE * 3 / 4);
    return new Uint32Array(context.getImageData(0, 0, SIZE, SIZE).data.buffer);
  };
  const none = String.fromCodePoint(${NO_CHARACTER});
  const boxes = new Map();
  const isMissing = (character, font) => {
    context.font = font;
    if (!boxes.has(font)) boxes.set(font, { width: context.measureText(none).width, pixels: draw(none) });
    const box = boxes.get(font);
    if (context.measureText(character).width !== box.width) return false;
    const pixels = draw(character);
    return box.pixels.every((pixel, index) => pixel === pixels[index]);
  };
`;

/** Formats an expression that returns which of `codePoints` no font of the machine has. */
function formatGlyphCheck(codePoints: readonly number[]): string {
  // A generic family has no web font: the result holds for other documents.
  return `(() => {
    ${DECLARE_CHECK}
    return ${JSON.stringify(codePoints)}.filter((codePoint) => isMissing(String.fromCodePoint(codePoint), '24px sans-serif'));
  })()`;
}

/**
 * Formats an expression that returns which of `codePoints` the document shows without a glyph: in text
 * of an element whose fonts, web fonts included, lack them. `skipsHidden`: elements without a box do not
 * count.
 */
function formatTextCheck(codePoints: readonly number[], { skipsHidden }: { skipsHidden: boolean }): string {
  return `(() => {
    ${DECLARE_CHECK}
    const left = new Set(${JSON.stringify(codePoints)}.map((codePoint) => String.fromCodePoint(codePoint)));
    const checked = new Set();
    const missing = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && left.size > 0 && checked.size < ${MAX_CHECKS}; node = walker.nextNode()) {
      const found = [...left].filter((character) => node.data.includes(character));
      const element = node.parentElement;
      if (found.length === 0 || element === null || element.closest('head,script,style,template,noscript,textarea')) continue;
      if (${skipsHidden} && !element.checkVisibility()) continue;
      const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
      const font = [fontStyle, fontWeight, '24px', fontFamily].join(' ');
      for (const character of found) {
        if (checked.has(character + font)) continue;
        checked.add(character + font);
        if (!isMissing(character, font)) continue;
        left.delete(character);
        missing.push(character.codePointAt(0));
      }
    }
    return missing;
  })()`;
}

/** Characters that the fonts of every machine have: Latin letters, dashes, quotation marks, €, ™ and −. */
const USUAL = String.raw`\u0000-\u024f\u2010-\u2026\u2030-\u203a\u20ac\u2122\u2212`;

/**
 * An expression that returns the code points of the document that may lack a glyph, each once. Controls and
 * marks without a glyph (variation selectors, joiners) need none.
 */
const UNUSUAL_TEXT = String.raw`(() => {
  const unusual = /[^${USUAL}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  const found = new Set(document.documentElement.textContent.match(unusual));
  return Array.from(found, (character) => character.codePointAt(0));
})()`;
/** A source whose text may have such characters, also as references. */
const MAY_BE_UNUSUAL = new RegExp(
  `[^${USUAL}]|&(?!(?:amp|lt|gt|quot|nbsp|copy|euro|[mn]dash|hellip|[aou]uml|szlig|eacute);)[#a-z]`,
  'i',
);

const CODE_POINTS = 0x110000;
/** The first lookup of a character goes through the fonts of the machine: one document may not have more. */
const MAX_LOOKUPS = 500;

/** Blocks that a font has as a whole: one character of each is looked up. */
const WHOLE_BLOCKS: readonly [first: number, last: number][] = [
  [0x3041, 0x30fe],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
];

/** The characters that the fonts of the machine have, as far as documents needed them. */
export class KnownGlyphs {
  readonly #known = new Uint8Array(CODE_POINTS);

  /** Lists which of `codePoints` no font of the machine has. Looks up unknown ones in a page. */
  async listMissing(page: Page, codePoints: readonly number[]): Promise<number[]> {
    const unknown = new Set<number>();
    for (const codePoint of codePoints) {
      const looked = toLookup(codePoint);
      if (this.#known[looked] === 0 && unknown.size < MAX_LOOKUPS) unknown.add(looked);
    }
    if (unknown.size > 0) {
      const missing = new Set((await page.evaluate(formatGlyphCheck([...unknown]))) as number[]);
      for (const codePoint of unknown) this.#known[codePoint] = missing.has(codePoint) ? MISSING : PRESENT;
    }
    return codePoints.filter((codePoint) => this.#known[toLookup(codePoint)] === MISSING);
  }
}

const PRESENT = 1;
const MISSING = 2;

function toLookup(codePoint: number): number {
  const block = WHOLE_BLOCKS.find(([first, last]) => codePoint >= first && codePoint <= last);
  return block?.[0] ?? codePoint;
}

const MAX_NAMED = 8;

/** A document that was printed, with what is known of its text. */
interface CheckedDocument {
  html: string;
  glyphs: KnownGlyphs;
  /** Scripts ran: the text may differ from the source. */
  isScripted: boolean;
  /** The document is laid out for the screen too. */
  hasScreenLayout: boolean;
}

/**
 * Warns of characters that a page printed as boxes, because no font has them. A document whose source has
 * only usual characters costs no call of the page, unless scripts made its text. Never resolves if the
 * document is busy with a script.
 */
export async function warnOfMissingGlyphs(
  page: Page,
  warnings: Warnings,
  { html, glyphs, isScripted, hasScreenLayout }: CheckedDocument,
): Promise<void> {
  if (!isScripted && !MAY_BE_UNUSUAL.test(html)) return;
  const codePoints = (await page.evaluate(UNUSUAL_TEXT)) as number[];
  const lacking = await glyphs.listMissing(page, codePoints);
  if (lacking.length === 0) return;
  const check = formatTextCheck(lacking, { skipsHidden: hasScreenLayout });
  const missing = ((await page.evaluate(check)) as number[]).sort((a, b) => a - b);
  if (missing.length > 0) warnings.add('text', formatMissingGlyphs(missing));
}

/** Formats the warning about characters that were printed as boxes. */
function formatMissingGlyphs(codePoints: readonly number[]): string {
  const names = codePoints
    .slice(0, MAX_NAMED)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  const more = codePoints.length > MAX_NAMED ? ` and ${codePoints.length - MAX_NAMED} more` : '';
  return `No font has these characters, which are printed as boxes: ${names.join(', ')}${more}.`;
}
