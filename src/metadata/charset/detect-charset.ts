/** Which encoding a page's bytes are in, from everything that says or shows it, best first. */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { parseCharsetLabel } from './labels.ts';
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
  if (first === 0x3c && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
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
  const guesses = chardet.analyse(sample).map(({ name }) => parseCharsetLabel(name));
  if (usual === null) return guesses.find((charset) => charset !== null) ?? 'windows-1252';
  return guesses.find((charset) => charset !== null && usual.includes(charset)) ?? usual[0]!;
}

/** Cyrillic text is mostly small letters: the encoding that makes the most of them, and the fewest other signs, it is. */
function guessCyrillic(bytes: Buffer, charsets: readonly string[]): string {
  let best = charsets[0]!;
  let bestScore = -Infinity;
  for (const charset of charsets) {
    const text = new TextDecoder(charset).decode(bytes);
    const letters = text.match(/[\u0430-\u045f\u0491]/g)?.length ?? 0;
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
