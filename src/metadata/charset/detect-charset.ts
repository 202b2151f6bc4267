/** Detects the encoding of a page's bytes. */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { parseCharsetLabel } from './parse-charset-label.ts';
import { reviseGuess } from './revise-guess.ts';
import { findUsualCharsets } from './usual-charsets.ts';

/** The declarations of a page; encodings by their WHATWG names. */
export interface CharsetHints {
  /** From the Content-Type header. */
  header: string | null;
  /** From the first `<meta>` that declares one. */
  meta: string | null;
  /** `<html lang>` as written: a guess is one of the encodings that are usual for it. */
  language: string | null;
}

const GUESS_BYTES = 32_768;
/** So many valid UTF-8 sequences are no accident: the page was converted, but not its legacy declaration. */
const CONVINCING_SEQUENCES = 8;

/**
 * Returns the WHATWG name of the encoding that decodes `bytes`, by the first of: byte-order mark, header,
 * meta, XML declaration, valid UTF-8, guess, windows-1252.
 */
export function detectCharset(bytes: Buffer, hints: CharsetHints): string {
  if (hasUtf8Mark(bytes)) return 'utf-8';
  if (hints.header !== null) return hints.header;
  const declared = hints.meta ?? parseXmlEncoding(bytes);
  if (declared === 'utf-8') return declared;
  const whole = trimIncomplete(bytes);
  if (declared !== null) return isUtf8(whole) && hasManySequences(whole) ? 'utf-8' : declared;
  return isUtf8(whole) ? 'utf-8' : guessCharset(bytes, hints.language);
}

/** Returns whether `bytes` start with the byte-order mark of UTF-8. */
export function hasUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns the encoding of bytes that start with a mark or with markup in UTF-16; null for others. */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (canStartMarkup(first) && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && canStartMarkup(second) && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}

/** Returns whether a byte is `<` or white space. */
function canStartMarkup(byte: number | undefined): boolean {
  return byte === 0x3c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns the encoding of an XML declaration at the start of `bytes`, or null. */
function parseXmlEncoding(bytes: Buffer): string | null {
  if (bytes.toString('latin1', 0, 5) !== '<?xml') return null;
  const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*(["'])([^"'>]{1,40})\1/.exec(
    bytes.toString('latin1', 0, 512),
  );
  const charset = declaration === null ? null : parseCharsetLabel(declaration[2]!);
  // A declaration that is readable as ASCII is not in UTF-16.
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset;
}

/** Returns the most likely encoding, of those that are usual for the page's language if it is known. */
function guessCharset(bytes: Buffer, language: string | null): string {
  const sample = bytes.subarray(0, GUESS_BYTES);
  const usual = findUsualCharsets(language);
  if (usual?.includes('ibm866') === true) return guessCyrillic(sample, usual);
  const guesses = chardet
    .analyse(sample)
    .map(({ name }) => parseCharsetLabel(name))
    .filter((charset) => charset !== null);
  if (usual !== null) return guesses.find((charset) => usual.includes(charset)) ?? usual[0]!;
  // chardet does not know Thai and reports Korean or French.
  if (isThai(sample)) return 'windows-874';
  const best = guesses.find((charset) => canDecode(sample, charset)) ?? 'windows-1252';
  const guess = reviseGuess(sample, best, guesses);
  return guess === 'koi8-r' && UKRAINIAN_KOI8.test(sample.toString('latin1')) ? 'koi8-u' : guess;
}

/** A letter of KOI8-U that is a box-drawing character in KOI8-R, beside a letter of both. */
const UKRAINIAN_KOI8 = /[\xc0-\xff][\xa4\xa6\xa7\xad]|[\xa4\xa6\xa7\xad][\xc0-\xff]/;

/** Returns whether at most 1% of the bytes fail to decode, as in text of that encoding. */
function canDecode(bytes: Buffer, charset: string): boolean {
  const text = new TextDecoder(charset).decode(bytes);
  return (text.match(/\uFFFD/g)?.length ?? 0) * 100 <= bytes.length;
}

/**
 * Returns whether the bytes are Thai (TIS-620): letters only, with every combining vowel and tone after a
 * consonant. Some of these are at even positions of a word, where a double-byte encoding has its lead bytes.
 */
function isThai(bytes: Buffer): boolean {
  let letters = 0;
  let evenMarks = 0;
  let position = 0;
  let isAfterConsonant = false;
  for (const byte of bytes) {
    if (byte < 0x80) {
      position = 0;
      isAfterConsonant = false;
      continue;
    }
    if (byte < 0xa1 || byte > 0xfb || (byte > 0xda && byte < 0xdf)) return false;
    letters++;
    if (isThaiMark(byte)) {
      if (!isAfterConsonant) return false;
      if (position % 2 === 0) evenMarks++;
    } else isAfterConsonant = byte <= 0xce;
    position++;
  }
  return letters > 8 && evenMarks * 20 > letters;
}

/** Mai han-akat, sara i to phinthu, maitaikhu to yamakkan. */
function isThaiMark(byte: number): boolean {
  return byte === 0xd1 || (byte >= 0xd4 && byte <= 0xda) || (byte >= 0xe7 && byte <= 0xee);
}

/** Returns the encoding that yields the most small Cyrillic letters and the fewest other characters. */
function guessCyrillic(bytes: Buffer, charsets: readonly string[]): string {
  let best = charsets[0]!;
  let bestScore = -Infinity;
  for (const charset of charsets) {
    const text = new TextDecoder(charset).decode(bytes);
    // Without the letters of Serbian and Macedonian: other encodings have capitals at their positions.
    const letters = text.match(/[\u0430-\u044f\u0451\u0454\u0456\u0457\u045e\u0491]/g)?.length ?? 0;
    const others =
      text.match(/[^\0-\x7f\u0400-\u0491\xa0\xab\xb7\xbb\u2013-\u2022\u2026\u2116]/g)?.length ?? 0;
    if (letters - 2 * others > bestScore) [best, bestScore] = [charset, letters - 2 * others];
  }
  return best;
}

/** Returns the bytes without an incomplete UTF-8 sequence at their end: reading may stop inside one. */
function trimIncomplete(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

function hasManySequences(bytes: Buffer): boolean {
  let count = 0;
  for (const byte of bytes) if (byte >= 0xc2 && ++count >= CONVINCING_SEQUENCES) return true;
  return false;
}
