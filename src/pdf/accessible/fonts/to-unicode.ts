import { deflateSync } from 'node:zlib';
import { PDFName, PDFRawStream, type PDFDict } from '@cantoo/pdf-lib';
import { decodeStream, replaceStream } from '../content/decode-stream.ts';
import type { FontUse } from './font-use.ts';

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
