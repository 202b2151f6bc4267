/** Detects the encoding of a page's bytes. */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { parseCharsetLabel } from './parse-charset-label.ts';
import { reviseGuess } from './revise-guess.ts';
import { sampleText } from './sample-text.ts';
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
/**
 * So many valid UTF-8 sequences are no accident: the page was converted, but not its legacy declaration. An
 * encoding with two bytes per character has pairs that are valid in both.
 */
const CONVINCING_SEQUENCES = { singleByte: 2, multiByte: 8 };
const MULTI_BYTE: ReadonlySet<string> = new Set('big5 euc-jp euc-kr gb18030 gbk shift_jis'.split(' '));

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
  if (declared !== null) return isUtf8(whole) && isConvincing(whole, declared) ? 'utf-8' : declared;
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
  const sample = sampleText(bytes, GUESS_BYTES);
  const usual = findUsualCharsets(language);
  const guesses = listGuesses(sample, usual);
  if (usual !== null) return guesses.find((charset) => usual.includes(charset)) ?? usual[0]!;
  const best = guesses.find((charset) => canDecode(sample, charset)) ?? 'windows-1252';
  return reviseGuess(sample, best, guesses);
}

/** Returns the guesses of chardet, best first. */
function listGuesses(sample: Buffer, usual: readonly string[] | null): string[] {
  // These bytes are controls in ISO-8859-2, and quotes and letters in windows-1250.
  const latin2 = sample.some((byte) => byte >= 0x80 && byte < 0xa0) ? 'windows-1250' : 'iso-8859-2';
  // chardet does not know KOI8-U, the Ukrainian variant.
  const koi8 = usual?.includes('koi8-u') === true ? 'koi8-u' : 'koi8-r';
  const revised = new Map([
    ['iso-8859-2', latin2],
    ['windows-1250', latin2],
    ['koi8-r', koi8],
  ]);
  return chardet
    .analyse(sample)
    .map(({ name }) => parseCharsetLabel(name))
    .filter((charset) => charset !== null)
    .map((charset) => revised.get(charset) ?? charset);
}

/** Returns whether at most 1% of the bytes fail to decode, as in text of that encoding. */
function canDecode(bytes: Buffer, charset: string): boolean {
  const text = new TextDecoder(charset).decode(bytes);
  return (text.match(/\uFFFD/g)?.length ?? 0) * 100 <= bytes.length;
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

/** Returns whether valid UTF-8 has enough sequences to be UTF-8 although `declared` is another encoding. */
function isConvincing(bytes: Buffer, declared: string): boolean {
  let missing = MULTI_BYTE.has(declared) ? CONVINCING_SEQUENCES.multiByte : CONVINCING_SEQUENCES.singleByte;
  for (let at = 0; at < bytes.length && missing > 0; at++) if (isTelling(bytes, at)) missing--;
  return missing === 0;
}

/**
 * Returns whether a UTF-8 sequence starts here that is unlikely in another encoding. A capital letter before
 * punctuation, as in «CAFÉ…» or „Spaß“, is a sequence of two bytes that is alone.
 */
function isTelling(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!;
  if (byte < 0xc2) return false;
  return byte <= 0xc5 || byte >= 0xe0 || bytes[at + 2]! >= 0xc2;
}
