import type { Page } from '#browser';
import type { KnownGlyphs } from './known-glyphs.ts';
import { formatTextCheck, UNUSUAL_TEXT } from './glyph-check.ts';
import type { Warnings } from './warnings.ts';
import { addUnusual } from './unusual-characters.ts';

const MAX_NAMED = 8;

/** A document that was printed, with what is known of its text. */
export interface CheckedDocument {
  /** The code points in its source that a font may not have: those of collectUnusualCharacters. */
  unusual: Set<number>;
  glyphs: KnownGlyphs;
  /** Scripts ran: the text may differ from the source. */
  isScripted: boolean;
  /** The document is laid out for the screen too. */
  hasScreenLayout: boolean;
}

/**
 * Warns of characters that a page printed as boxes, because no font has them. A document whose characters the
 * fonts are known to have costs no call of the page, unless scripts made its text. Never resolves if the
 * document is busy with a script.
 */
export async function warnOfMissingGlyphs(
  page: Page,
  warnings: Warnings,
  document: CheckedDocument,
): Promise<void> {
  const missing = await findMissingGlyphs(page, document);
  if (missing.length > 0) warnings.add('text', formatMissingGlyphs(missing));
}

async function findMissingGlyphs(
  page: Page,
  { unusual: codePoints, glyphs, isScripted, hasScreenLayout }: CheckedDocument,
): Promise<number[]> {
  if (isScripted) addUnusual(String(await page.evaluate(UNUSUAL_TEXT)), codePoints);
  if (codePoints.size === 0) return [];
  const missing = await glyphs.listMissing(page, codePoints);
  if (missing.length === 0) return [];
  const check = formatTextCheck(missing, { skipsHidden: hasScreenLayout });
  return ((await page.evaluate(check)) as number[]).sort((a, b) => a - b);
}

/** Formats the warning about characters that were printed as boxes. */
function formatMissingGlyphs(codePoints: readonly number[]): string {
  const names = codePoints
    .slice(0, MAX_NAMED)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  const more = codePoints.length > MAX_NAMED ? ` and ${codePoints.length - MAX_NAMED} more` : '';
  return `No font has these characters, which are printed as boxes: ${names.join(', ')}${more}.`;
}
