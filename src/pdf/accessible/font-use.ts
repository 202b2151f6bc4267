import { deflateSync } from 'node:zlib';
import { type PDFDict, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { decodeStream, replaceStream } from './content/content-operators.ts';

const SUBTYPE = PDFName.of('Subtype');
const COMPOSITE = PDFName.of('Type0');
const MAX_CODES = 65_536;

/** Selects fonts, and notes the codes of the text that is shown in them. */
interface TextCursor {
  select: (font: PDFDict | undefined) => void;
  /** `slice`: a text-showing operator with its operands. */
  show: (slice: ContentSlice) => void;
}

/** The codes of the characters that content streams show, by font. */
export class FontUse {
  readonly #shown = new Map<PDFDict, ShownCodes>();

  /** Returns a cursor for one content stream. */
  createCursor(): TextCursor {
    let shown: ShownCodes | undefined;
    return {
      select: (font) => {
        if (font !== undefined) shown = this.#open(font);
      },
      show: (slice) => {
        if (shown !== undefined) setShownCodes(slice, shown);
      },
    };
  }

  /** Yields each font with the codes that are shown in it. */
  *[Symbol.iterator](): Generator<[font: PDFDict, codes: number[]], void, undefined> {
    for (const [font, { codes }] of this.#shown) {
      const list: number[] = [];
      for (let code = codes.indexOf(1); code >= 0; code = codes.indexOf(1, code + 1)) list.push(code);
      yield [font, list];
    }
  }

  #open(font: PDFDict): ShownCodes {
    const known = this.#shown.get(font);
    if (known !== undefined) return known;
    const isComposite = font.lookup(SUBTYPE) === COMPOSITE;
    const shown: ShownCodes = isComposite
      ? { bytesPerCode: 2, codes: new Uint8Array(MAX_CODES) }
      : { bytesPerCode: 1, codes: new Uint8Array(256) };
    this.#shown.set(font, shown);
    return shown;
  }
}

/** A part of a content stream. Skia shows each character by itself: a copy of each part would cost more. */
export interface ContentSlice {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** The codes that are shown in a font: 1 for each code. */
interface ShownCodes {
  bytesPerCode: 1 | 2;
  codes: Uint8Array;
}

/** Sets the codes of the strings in the operands of a text-showing operator (ISO 32000-1 §7.3.4). */
export function setShownCodes({ bytes, from, to }: ContentSlice, shown: ShownCodes): void {
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === 0x3c) at = setHexadecimal({ bytes, from: at + 1, to }, shown);
    else if (bytes[at] === 0x28) at = setLiteral({ bytes, from: at + 1, to }, shown);
  }
}

/** Sets the codes of a string and returns the offset of its end. */
function setHexadecimal({ bytes, from, to }: ContentSlice, { bytesPerCode, codes }: ShownCodes): number {
  const digitsPerCode = 2 * bytesPerCode;
  let digits = 0;
  let code = 0;
  let at = from;
  for (; at < to && bytes[at] !== 0x3e; at += 1) {
    const value = toDigit(bytes[at] ?? 0);
    if (value < 0) continue;
    code = code * 16 + value;
    digits += 1;
    if (digits < digitsPerCode) continue;
    codes[code] = 1;
    digits = 0;
    code = 0;
  }
  // Missing digits are 0.
  if (digits > 0) codes[code * 16 ** (digitsPerCode - digits)] = 1;
  return at;
}

/** Returns the value of a hexadecimal digit; -1 for another byte. */
function toDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function setLiteral({ bytes, from, to }: ContentSlice, { bytesPerCode, codes }: ShownCodes): number {
  const string: number[] = [];
  let depth = 1;
  let at = from;
  for (; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x5c) at = parseEscape(bytes, at + 1, string);
    else {
      if (byte === 0x28) depth += 1;
      if (byte === 0x29 && --depth === 0) break;
      string.push(byte);
    }
  }
  for (let index = 0; index < string.length; index += bytesPerCode) {
    const first = string[index] ?? 0;
    codes[bytesPerCode === 1 ? first : first * 256 + (string[index + 1] ?? 0)] = 1;
  }
  return at;
}

/** Parses what follows a backslash, appends its byte and returns the offset of its last character. */
function parseEscape(bytes: Uint8Array, from: number, string: number[]): number {
  let at = from;
  let value = 0;
  const isOctal = (): boolean => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x37;
  for (; at < from + 3 && isOctal(); at += 1) value = value * 8 + (bytes[at] ?? 0) - 0x30;
  if (at > from) {
    string.push(value & 0xff);
    return at - 1;
  }
  const byte = bytes[from] ?? 0;
  // An escaped line break is no part of the string.
  if (byte !== 0x0a && byte !== 0x0d) string.push(ESCAPES[String.fromCharCode(byte)] ?? byte);
  return byte === 0x0d && bytes[from + 1] === 0x0a ? from + 1 : from;
}

const TO_UNICODE = PDFName.of('ToUnicode');

/** Values that a map may not have (ISO 14289-1 §7.21.7): Chromium's for a part of a character is 0. */
const FORBIDDEN = /^(?:0000|FEFF|FFFE)$/i;
/** A zero-width space, in place of a value that is none. */
const NOTHING = '200B';

/**
 * Corrects the Unicode values of fonts, and counts the characters that have none: then the font has no glyph
 * for them either.
 */
export function countUnknownCharacters(use: FontUse): number {
  let count = 0;
  for (const [font, codes] of use) {
    const known = parseKnownCodes(font);
    for (const code of codes) if (known?.has(code) !== true) count += 1;
  }
  return count;
}

/** Parses the codes of a font that have a Unicode value. Null if the font has no map. */
function parseKnownCodes(font: PDFDict): ReadonlySet<number> | null {
  const stream = font.lookup(TO_UNICODE);
  const bytes = decodeStream(stream);
  if (bytes === null || !(stream instanceof PDFRawStream)) return null;
  const source = Buffer.from(bytes).toString('latin1');
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
