/** Which encoding a page's bytes are in, from everything that says or shows it, best first. */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { parseCharsetLabel } from './parse-charset-label.ts';
import { reconsider } from './revise-guess.ts';
import { findUsualCharsets } from './usual-charsets.ts';

/** What was found that names an encoding; WHATWG names. */
export interface CharsetHints {
  /** From the Content-Type header. */
  header: string | null;
  /** From the first `<meta>` that names one. */
  meta: string | null;
  /** The primary language of the page as `<html lang>` gives it: what a guess may be. */
  language: string | null;
}

const GUESS_BYTES = 32_768;
/** So many multi-byte sequences are no accident: a legacy declaration of such a page was left over from before it was converted. */
const CONVINCING_SEQUENCES = 8;

/** The encoding that decodes `bytes`: BOM > header > meta > XML declaration > valid UTF-8 > guess > windows-1252. */
export function detectCharset(bytes: Buffer, hints: CharsetHints): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (hints.header !== null) return hints.header;
  const declared = hints.meta ?? readXmlEncoding(bytes);
  if (declared === 'utf-8') return declared;
  const whole = trimIncomplete(bytes);
  if (declared !== null) return isUtf8(whole) && hasManySequences(whole) ? 'utf-8' : declared;
  return isUtf8(whole) ? 'utf-8' : guessCharset(bytes, hints.language);
}

/** The encoding of a byte-order mark, or of UTF-16 markup without one; null for anything else. */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (beginsMarkup(first) && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && beginsMarkup(second) && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}

/** `<`, or the white space before it. */
function beginsMarkup(byte: number | undefined): boolean {
  return byte === 0x3c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The encoding of an XML declaration at the very start, or null. */
export function readXmlEncoding(bytes: Buffer): string | null {
  if (bytes.toString('latin1', 0, 5) !== '<?xml') return null;
  const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*(["'])([^"'>]{1,40})\1/.exec(
    bytes.toString('latin1', 0, 512),
  );
  const charset = declaration === null ? null : parseCharsetLabel(declaration[2]!);
  // The declaration was readable as ASCII, so it cannot be UTF-16.
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset;
}

/** The most likely encoding, of those that the page's language is written in where that is known. */
function guessCharset(bytes: Buffer, language: string | null): string {
  const sample = bytes.subarray(0, GUESS_BYTES);
  const usual = findUsualCharsets(language);
  if (usual?.includes('ibm866') === true) return guessCyrillic(sample, usual);
  const guesses = chardet
    .analyse(sample)
    .map(({ name }) => parseCharsetLabel(name))
    .filter((charset) => charset !== null);
  if (usual !== null) return guesses.find((charset) => usual.includes(charset)) ?? usual[0]!;
  // chardet knows no Thai and takes it for Korean or French.
  if (isThai(sample)) return 'windows-874';
  const best = guesses.find((charset) => canDecode(sample, charset)) ?? 'windows-1252';
  const guess = reconsider(sample, best, guesses);
  return guess === 'koi8-r' && UKRAINIAN_KOI8.test(sample.toString('latin1')) ? 'koi8-u' : guess;
}

/** Letters of KOI8-U where KOI8-R has frames, beside a letter of both. */
const UKRAINIAN_KOI8 = /[\xc0-\xff][\xa4\xa6\xa7\xad]|[\xa4\xa6\xa7\xad][\xc0-\xff]/;

/** Whether nearly all of the bytes mean something there: two bytes to a character leave few errors in what is written so. */
function canDecode(bytes: Buffer, charset: string): boolean {
  const text = new TextDecoder(charset).decode(bytes);
  return (text.match(/\uFFFD/g)?.length ?? 0) * 100 <= bytes.length;
}

/**
 * Whether the bytes are Thai (TIS-620): letters alone, and every vowel or tone that is written above or below stands on a consonant. Some of
 * them at the even places of a word too, where an encoding of two bytes to a character has its first ones.
 */
function isThai(bytes: Buffer): boolean {
  let letters = 0;
  let evenMarks = 0;
  let place = 0;
  let canBear = false;
  for (const byte of bytes) {
    if (byte < 0x80) {
      place = 0;
      canBear = false;
      continue;
    }
    if (byte < 0xa1 || byte > 0xfb || (byte > 0xda && byte < 0xdf)) return false;
    letters++;
    if (isThaiMark(byte)) {
      if (!canBear) return false;
      if (place % 2 === 0) evenMarks++;
    } else canBear = byte <= 0xce;
    place++;
  }
  return letters > 8 && evenMarks * 20 > letters;
}

/** Mai han-akat, sara i to phinthu, maitaikhu to yamakkan. */
function isThaiMark(byte: number): boolean {
  return byte === 0xd1 || (byte >= 0xd4 && byte <= 0xda) || (byte >= 0xe7 && byte <= 0xee);
}

/** Cyrillic text is mostly small letters: the encoding that makes the most of them, and the fewest other signs, it is. */
function guessCyrillic(bytes: Buffer, charsets: readonly string[]): string {
  let best = charsets[0]!;
  let bestScore = -Infinity;
  for (const charset of charsets) {
    const text = new TextDecoder(charset).decode(bytes);
    // Without those of Serbian and Macedonian: capitals of one encoding stand at their places in another.
    const letters = text.match(/[\u0430-\u044f\u0451\u0454\u0456\u0457\u045e\u0491]/g)?.length ?? 0;
    const others =
      text.match(/[^\0-\x7f\u0400-\u0491\xa0\xab\xb7\xbb\u2013-\u2022\u2026\u2116]/g)?.length ?? 0;
    if (letters - 2 * others > bestScore) [best, bestScore] = [charset, letters - 2 * others];
  }
  return best;
}

/** Without the sequence that reading stopped in the middle of. */
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
