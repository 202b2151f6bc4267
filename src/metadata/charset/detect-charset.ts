/** Detects the encoding of a page's bytes. */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { parseCharsetLabel } from './parse-charset-label.ts';

/** The declarations of a page; encodings by their WHATWG names. */
interface CharsetHints {
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

// Collects the text of a page for a guess of its encoding: statistics of letters fail on markup.

/** Bytes of ASCII text that are kept around others. */
const CONTEXT = 24;
/** The number of bytes of a page that are searched for text. */
const MAX_SEARCHED_BYTES = 262_144;

/**
 * Returns the bytes above ASCII with the text around each, up to `length` bytes. Text ends at a delimiter of
 * markup, none of which is the second byte of a character in any encoding.
 */
function sampleText(bytes: Buffer, length: number): Buffer {
  const sample = Buffer.alloc(length);
  const end = Math.min(bytes.length, MAX_SEARCHED_BYTES);
  let size = 0;
  // The bytes from here on are text that was not copied yet.
  let from = 0;
  let left = 0;
  for (let at = 0; at < end && size < length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      if (left === 0) {
        from = Math.max(from, at - CONTEXT);
        if (size > 0) sample[size++] = 0x20;
      }
      size += bytes.copy(sample, size, from, at + 1);
      from = at + 1;
      left = CONTEXT;
    } else if (isDelimiter(byte)) {
      if (left > 0) size += bytes.copy(sample, size, from, at);
      from = at + 1;
      left = 0;
    } else if (left > 0 && --left === 0) {
      size += bytes.copy(sample, size, from, at + 1);
      from = at + 1;
    }
  }
  return sample.subarray(0, size);
}

/** Returns whether a byte is a control, `"`, `<`, `=` or `>`. */
function isDelimiter(byte: number): boolean {
  return byte < 0x20 || byte === 0x22 || (byte >= 0x3c && byte <= 0x3e);
}

/** The legacy encodings of pages by language, most common first. Languages of windows-1252 are not listed. */
const CYRILLIC = ['windows-1251', 'koi8-r', 'iso-8859-5'];
const CENTRAL_EUROPEAN = ['windows-1250', 'iso-8859-2'];
const BALTIC = ['windows-1257'];

const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ar: ['windows-1256', 'iso-8859-6'],
    be: CYRILLIC,
    bg: CYRILLIC,
    cs: CENTRAL_EUROPEAN,
    el: ['windows-1253', 'iso-8859-7'],
    et: BALTIC,
    fa: ['windows-1256'],
    he: ['windows-1255', 'iso-8859-8'],
    hr: CENTRAL_EUROPEAN,
    hu: CENTRAL_EUROPEAN,
    iw: ['windows-1255', 'iso-8859-8'],
    ja: ['shift_jis', 'euc-jp'],
    ko: ['euc-kr'],
    lt: BALTIC,
    lv: BALTIC,
    mk: CYRILLIC,
    pl: CENTRAL_EUROPEAN,
    ro: CENTRAL_EUROPEAN,
    ru: CYRILLIC,
    sk: CENTRAL_EUROPEAN,
    sl: CENTRAL_EUROPEAN,
    th: ['windows-874'],
    tr: ['windows-1254'],
    uk: ['windows-1251', 'koi8-u'],
    vi: ['windows-1258'],
    zh: ['gbk', 'gb18030', 'big5'],
  }),
);

/** Returns the usual legacy encodings for a language tag, or null if none are listed. */
export function findUsualCharsets(language: string | null): readonly string[] | null {
  const primary = /^[a-z]{2}(?=$|[-_])/i.exec(language?.trim() ?? '')?.[0].toLowerCase();
  return primary === undefined ? null : (USUAL.get(primary) ?? null);
}

// Revises a guess that a text is in Latin letters: statistics need more than a few words.

const LATIN: ReadonlySet<string> = new Set(
  'windows-1250 windows-1252 windows-1254 windows-1257 windows-1258 iso-8859-2'.split(' '),
);
/** The bytes of š, ž, ū, ų and ņ in windows-1257: every Baltic language needs some of them. */
const BALTIC_LETTERS = /[\xd0\xd2\xd8\xdb\xde\xf0\xf2\xf8\xfb\xfe]/;

/**
 * Returns the most plausible of `guesses`: WHATWG names, best first.
 * `best` is the first that can decode `bytes`.
 */
function reviseGuess(bytes: Buffer, best: string, guesses: readonly string[]): string {
  if (!LATIN.has(best)) return best;
  const text = bytes.toString('latin1');
  const isPlausible = (charset: string) => !hasSignsInWords(bytes, charset);
  const latin = best === 'windows-1257' && !BALTIC_LETTERS.test(text) ? 'windows-1252' : best;
  return [latin, ...guesses.filter((charset) => LATIN.has(charset))].find(isPlausible) ?? latin;
}

/** Returns whether words contain symbols in several contexts: letters of another encoding become symbols. */
function hasSignsInWords(bytes: Buffer, charset: string): boolean {
  const text = new TextDecoder(charset).decode(bytes);
  const contexts = new Set<string>();
  for (const { 0: before, 1: after } of text.matchAll(SIGN_IN_WORD)) {
    contexts.add(`${before}${after}`);
    if (contexts.size > 1) return true;
  }
  return false;
}

/** A symbol between letters, except hyphens, dashes, apostrophes, middle dots and trademark signs. */
const SIGN_IN_WORD =
  /\p{L}[^\p{L}\p{M}\0-\x7f\xa0\xa9\xad\xae\xb0\xb4\xb7\xd7\u2010-\u2026\u2122](?=(\p{L}))/gu;
