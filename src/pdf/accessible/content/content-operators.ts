import { inflateSync } from 'node:zlib';
import { PDFName, type PDFObject, type PDFRawStream, PDFStream } from '@cantoo/pdf-lib';

/** An operator of a content stream (ISO 32000-1 §7.8.2), and its source with its operands. */
export interface Operator {
  /** See toOperatorCode. */
  code: number;
  from: number;
  to: number;
}

const BACKSLASH = 0x5c;

/** The kinds of bytes: 0 is a regular character, of which names, numbers and operators consist. */
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

/** Packs the name of an operator, which has at most three characters, into a number. */
export function toOperatorCode(name: string): number {
  const bytes = Buffer.from(name, 'latin1');
  return toCode(bytes, 0, bytes.length);
}

const INLINE_DATA = toOperatorCode('ID');
/** Operands, and BI: an inline image is one operator, EI, from there on. */
const WORDS = new Set(['true', 'false', 'null', 'BI'].map(toOperatorCode));

/** Calls `visit` for each operator, with one object that it reuses. Never throws, whatever the bytes are. */
export function scanOperators(bytes: Uint8Array, visit: (operator: Operator) => void): void {
  const operator: Operator = { code: 0, from: -1, to: 0 };
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (KINDS[byte] === SPACE) {
      at += 1;
      continue;
    }
    const end = findTokenEnd(bytes, at);
    if (byte === 0x25) {
      at = end;
      continue;
    }
    if (operator.from < 0) operator.from = at;
    const code = KINDS[byte] === DELIMITER || isNumeric(byte) ? 0 : toCode(bytes, at, end);
    at = end;
    if (code === 0 || WORDS.has(code)) continue;
    if (code === INLINE_DATA) {
      at = findInlineEnd(bytes, end);
      continue;
    }
    operator.code = code;
    operator.to = end;
    visit(operator);
    operator.from = -1;
  }
}

function isNumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b;
}

function toCode(bytes: Uint8Array, from: number, to: number): number {
  let code = 0;
  for (let at = from; at < to; at += 1) code = code * 256 + (bytes[at] ?? 0);
  return code;
}

/** Returns the end of the token at `from`: of a string, a comment, a name, a number or an operator. */
function findTokenEnd(bytes: Uint8Array, from: number): number {
  const byte = bytes[from];
  if (byte === 0x28) return findLiteralEnd(bytes, from);
  if (byte === 0x25) return findEnd(bytes, from, 0x0a);
  if (byte === 0x3c && bytes[from + 1] !== 0x3c) return findEnd(bytes, from, 0x3e);
  if (KINDS[byte ?? 0] === DELIMITER && byte !== 0x2f) return from + 1;
  let at = from + 1;
  while (at < bytes.length && KINDS[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

function findEnd(bytes: Uint8Array, from: number, last: number): number {
  const at = bytes.indexOf(last, from);
  return at < 0 ? bytes.length : at + 1;
}

function findLiteralEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === 0x28) depth += 1;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Returns the offset of the EI that ends the data of an inline image. */
function findInlineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const isEnd = bytes[at] === 0x45 && bytes[at + 1] === 0x49 && KINDS[bytes[at - 1] ?? 0] === SPACE;
    if (isEnd && (at + 2 >= bytes.length || KINDS[bytes[at + 2] ?? 0] === SPACE)) return at;
  }
  return bytes.length;
}

/** More than any page of Chromium has. */
const MAX_BYTES = 256 * 1024 * 1024;
const NO_BYTES = new Uint8Array();

/** Returns the bytes of a stream as Chromium writes it: deflated, or not encoded. Null for any other. */
export function decodeStream(stream: PDFObject | undefined): Uint8Array | null {
  if (!(stream instanceof PDFStream)) return null;
  const contents = stream.getContents();
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return contents;
  if (filter !== PDFName.FlateDecode || stream.dict.has(PDFName.of('DecodeParms'))) return null;
  return contents.length === 0 ? NO_BYTES : inflateSync(contents, { maxOutputLength: MAX_BYTES });
}

/** Replaces the bytes of a stream. `deflated` is their deflated form. */
export function replaceStream(stream: PDFRawStream, deflated: Uint8Array): void {
  stream.dict.set(PDFName.of('Filter'), PDFName.FlateDecode);
  stream.updateContents(deflated);
}
