import { PDFDict, PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import { ArchiveFault, type Content, listContents } from './list-contents.ts';

const MAX_NAMED = 8;
/**
 * The choice of a font, or a string that has the first of its glyphs, each of two bytes. That glyph is
 * `.notdef`. Before it may be the text that it stands for.
 */
const FONT_OR_MISSING =
  /\/([^\s/<>[\]()]+) [-\d.]+ Tf\b|(?:\/ActualText <FEFF([0-9A-Fa-f]*)>\s*>>\s*BDC\s[^<>]{0,200})?<(?:[0-9A-Fa-f]{4})*?0000(?:[0-9A-Fa-f]{4})*>(?=\s*(?:Tj|[\]<\d.-]))/g;

/**
 * Checks that each character has a glyph in its font: PDF/A allows no `.notdef`, the box that a font shows
 * instead (ISO 19005-3 §6.2.11.8). Throws ArchiveFault, which names the characters as far as they are known.
 */
export function checkGlyphs(pdf: PDFDocument): void {
  const characters = new Set<string>();
  let place: Content | null = null;
  for (const content of listContents(pdf)) {
    for (const text of listMissing(content)) {
      place ??= content;
      for (const character of text) characters.add(character);
      if (characters.size >= MAX_NAMED) break;
    }
  }
  if (place !== null) throw new ArchiveFault(describe([...characters], place));
}

/** Lists the texts that have no glyph; empty ones if they are not known. */
function* listMissing({ text, fonts }: Content): Generator<string> {
  // Most content has no four zeros in a row.
  if (!text.includes('0000')) return;
  let font: PDFDict | undefined;
  for (const [, name, actual = ''] of text.matchAll(FONT_OR_MISSING)) {
    if (name !== undefined) {
      const named = fonts?.lookup(PDFName.of(name));
      font = named instanceof PDFDict ? named : undefined;
      continue;
    }
    // Fonts of other kinds have one byte for each glyph.
    if (font && font.lookup(PDFName.of('Subtype')) !== PDFName.of('Type0')) continue;
    yield decodeText(actual);
  }
}

/** Decodes UTF-16 in hexadecimal digits. */
function decodeText(hex: string): string {
  return Buffer.from(hex.slice(0, hex.length & ~3), 'hex')
    .swap16()
    .toString('utf16le');
}

function describe(characters: readonly string[], { page }: Content): string {
  const named = characters
    .slice(0, MAX_NAMED)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(', ');
  const where = page === null ? '' : ` on page ${page}`;
  const which = named === '' ? ', often control characters' : `, such as ${named}`;
  return `PDF/A needs a glyph for each character, and the fonts have none for some${where}${which}: remove these characters, or send a web font that has them.`;
}
