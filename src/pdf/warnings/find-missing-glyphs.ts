import { resolvesWithin, type Page } from '#browser';
import type { KnownGlyphs } from './known-glyphs.ts';
import { formatTextCheck, UNUSUAL_TEXT } from './glyph-check.ts';
import type { Warnings } from './warnings.ts';
import { addUnusual, collectUnusualCharacters } from './unusual-characters.ts';

const MAX_NAMED = 8;
/** A document that was printed may be busy with a script. */
const MAX_BUSY_MS = 500;

/** A document that was printed, with what is known of its text. */
export interface CheckedDocument {
  html: string;
  glyphs: KnownGlyphs;
  /** Scripts ran: the text may differ from the source. */
  isScripted: boolean;
  /** The document is laid out for the screen too. */
  hasScreenLayout: boolean;
}

/**
 * Warns of characters that a page printed as boxes, because no font has them. A document whose characters the
 * fonts are known to have costs no call of the page, unless scripts made its text.
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
  { html, glyphs, isScripted, hasScreenLayout }: CheckedDocument,
): Promise<number[]> {
  const codePoints = collectUnusualCharacters(html);
  if (isScripted) addUnusual(await findScriptedText(page), codePoints);
  if (codePoints.size === 0) return [];
  const missing = await glyphs.listMissing(page, codePoints);
  if (missing.length === 0) return [];
  const check = formatTextCheck(missing, { skipsHidden: hasScreenLayout });
  return ((await page.evaluate(check)) as number[]).sort((a, b) => a - b);
}

/** Returns the unusual characters of the document; none if its scripts are busy. */
async function findScriptedText(page: Page): Promise<string> {
  const finding = page.evaluate(UNUSUAL_TEXT);
  return (await resolvesWithin(finding, MAX_BUSY_MS)) ? String(await finding) : '';
}

/** Formats the warning about characters that were printed as boxes. */
function formatMissingGlyphs(codePoints: readonly number[]): string {
  const names = codePoints
    .slice(0, MAX_NAMED)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  const more = codePoints.length > MAX_NAMED ? ` and ${codePoints.length - MAX_NAMED} more` : '';
  return `No font has these characters, which are printed as boxes: ${names.join(', ')}${more}.`;
}
