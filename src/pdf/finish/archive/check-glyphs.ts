import { type PDFDict, type PDFDocument, PDFName, PDFStream } from '@cantoo/pdf-lib';
import { FinishFault } from '../finish-input.ts';
import { decodeStream, getDict, getPages, listItems } from '../pdf-objects.ts';

const MAX_NAMED = 8;
/**
 * The choice of a font, or a string that has the first of its glyphs, each of two bytes. That glyph is
 * `.notdef`. Before it may be the text that it stands for.
 */
const FONT_OR_MISSING =
  /\/([^\s/<>[\]()]+) [-\d.]+ Tf\b|(?:\/ActualText <FEFF([0-9A-Fa-f]*)>\s*>>\s*BDC\s[^<>]{0,200})?<(?:[0-9A-Fa-f]{4})*?0000(?:[0-9A-Fa-f]{4})*>(?=\s*(?:Tj|[\]<\d.-]))/g;

/**
 * Checks that each character has a glyph in its font: PDF/A allows no `.notdef`, the box that a font shows
 * instead (ISO 19005-3 §6.2.11.8). Throws FinishFault, which names the characters as far as they are known.
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
  if (place !== null) throw new FinishFault(describe([...characters], place));
}

/** A content stream, which draws. */
interface Content {
  bytes: Buffer;
  /** The fonts that it names. */
  fonts: PDFDict | undefined;
  /** Counted from 1. Null: it is part of several pages. */
  page: number | null;
}

const RESOURCES = PDFName.of('Resources');
const FONT = PDFName.of('Font');

/** Lists the content of pages, then of forms and patterns. Streams are unpacked as they are listed. */
function* listContents(pdf: PDFDocument): Generator<Content> {
  for (const [index, { page }] of getPages(pdf).entries())
    for (const stream of listItems(page, PDFName.of('Contents'))) {
      const bytes = decodeStream(pdf.context.lookup(stream));
      if (bytes !== null) yield { bytes, fonts: getDict(page.Resources(), FONT), page: index + 1 };
    }
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream)) continue;
    const { dict } = object;
    if (dict.get(PDFName.of('Subtype')) !== PDFName.of('Form') && !dict.has(PDFName.of('PatternType')))
      continue;
    const bytes = decodeStream(object);
    if (bytes !== null) yield { bytes, fonts: getDict(getDict(dict, RESOURCES), FONT), page: null };
  }
}

/** Lists the texts that have no glyph; empty ones if they are not known. */
function* listMissing({ bytes, fonts }: Content): Generator<string> {
  // Most content has no four zeros in a row.
  if (!bytes.includes('0000')) return;
  let font: PDFDict | undefined;
  for (const [, name, actual = ''] of bytes.toString('latin1').matchAll(FONT_OR_MISSING)) {
    if (name !== undefined) font = getDict(fonts, PDFName.of(name));
    // Fonts of other kinds have one byte for each glyph.
    else if (!font || font.lookup(PDFName.of('Subtype')) === PDFName.of('Type0')) yield decodeText(actual);
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
