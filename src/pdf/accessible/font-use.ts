import { deflateSync } from 'node:zlib';
import { type PDFDict, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { decodeStream, replaceStream } from '../finish/pdf-objects.ts';

/** A part of a content stream. Skia shows each character by itself: a copy of each part would cost more. */
export interface ContentSlice {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** The codes of the characters that content streams show, by font: 1 for each code. */
export class FontUse {
  readonly #shown = new Map<PDFDict, Uint8Array>();

  /** Returns the codes of a font, of one byte or of two. */
  getCodes(font: PDFDict): Uint8Array {
    const isComposite = font.lookup(PDFName.of('Subtype')) === PDFName.of('Type0');
    const codes = this.#shown.get(font) ?? new Uint8Array(isComposite ? 65_536 : 256);
    this.#shown.set(font, codes);
    return codes;
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

/**
 * Sets the codes of the strings in the operands of a text-showing operator: hexadecimal ones, as Chromium
 * writes no others.
 */
export function setShownCodes({ bytes, from, to }: ContentSlice, codes: Uint8Array): void {
  const digitsPerCode = codes.length > 256 ? 4 : 2;
  for (let at = from; at < to; at += 1) {
    if (bytes[at] !== OPEN) continue;
    let digits = 0;
    let code = 0;
    for (at += 1; at < to && bytes[at] !== CLOSE; at += 1) {
      const digit = toDigit(bytes[at] ?? 0);
      if (digit < 0) continue;
      code = code * 16 + digit;
      digits += 1;
      if (digits % digitsPerCode > 0) continue;
      codes[code] = 1;
      code = 0;
    }
  }
}

const [OPEN, CLOSE] = [0x3c, 0x3e];

/** Returns the value of a hexadecimal digit; -1 for another byte. */
function toDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
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
