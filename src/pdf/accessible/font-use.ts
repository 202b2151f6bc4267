import { deflateSync } from 'node:zlib';
import { type PDFDict, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { decodeStream, replaceStream } from '../finish/pdf-objects.ts';

/** The codes of the characters that content streams show, by font: 1 for each code. */
export class FontUse {
  readonly #shown = new Map<PDFDict, Uint8Array>();

  /** Adds the codes of the strings that a line shows: hexadecimal ones, as Chromium writes no others. */
  add(font: PDFDict, line: string): void {
    let codes = this.#shown.get(font);
    if (codes === undefined) {
      const isComposite = font.lookup(PDFName.of('Subtype')) === PDFName.of('Type0');
      codes = new Uint8Array(isComposite ? 65_536 : 256);
      this.#shown.set(font, codes);
    }
    const digits = codes.length > 256 ? 4 : 2;
    for (const [, hex = ''] of line.matchAll(/<([\dA-F]+)>/gi))
      for (let at = 0; at < hex.length; at += digits)
        codes[Number.parseInt(hex.slice(at, at + digits), 16)] = 1;
  }

  /**
   * Corrects the Unicode values of fonts, and counts the characters that have none: then the font has no
   * glyph for them either.
   */
  countUnknown(): number {
    let count = 0;
    for (const [font, codes] of this.#shown) {
      const known = parseKnownCodes(font);
      for (let code = codes.indexOf(1); code >= 0; code = codes.indexOf(1, code + 1))
        if (known?.has(code) !== true) count += 1;
    }
    return count;
  }
}

const TO_UNICODE = PDFName.of('ToUnicode');

/** Values that a map may not have (ISO 14289-1 §7.21.7): Chromium's for a part of a character is 0. */
const FORBIDDEN = /^(?:0000|FEFF|FFFE)$/i;
/** A zero-width space, in place of a value that is none. */
const NOTHING = '200B';

/** Parses the codes of a font that have a Unicode value. Null if the font has no map. */
function parseKnownCodes(font: PDFDict): ReadonlySet<number> | null {
  const stream = font.lookup(TO_UNICODE);
  const bytes = decodeStream(stream);
  if (bytes === null || !(stream instanceof PDFRawStream)) return null;
  const source = bytes.toString('latin1');
  const known = new Set<number>();
  const corrected = source.replace(
    /(\d+) beginbf(char|range)\s([\s\S]*?)endbf(?:char|range)/g,
    (section, _count: string, kind: string, body: string) =>
      kind === 'char'
        ? section.replace(body, () => correctCharacters(body, known))
        : addRanges(section, body, known),
  );
  if (corrected !== source) replaceStream(stream, deflateSync(Buffer.from(corrected, 'latin1')));
  return known;
}

function correctCharacters(body: string, known: Set<number>): string {
  return body.replace(/<([0-9A-F]+)>\s*<([0-9A-F]*)>/gi, (entry, code: string, value: string) => {
    known.add(Number.parseInt(code, 16));
    return FORBIDDEN.test(value) ? `<${code}> <${NOTHING}>` : entry;
  });
}

/** Adds the codes of ranges. One whose values begin at a forbidden one is left out: its codes have none. */
function addRanges(section: string, body: string, known: Set<number>): string {
  for (const [, from = '', to = '', value = ''] of body.matchAll(
    /<([0-9A-F]+)>\s*<([0-9A-F]+)>\s*<([0-9A-F]*)>/gi,
  )) {
    const last = Number.parseInt(to, 16);
    for (let code = Number.parseInt(from, 16); code <= last && code < 65_536; code += 1)
      if (!FORBIDDEN.test(value)) known.add(code);
  }
  return section;
}
