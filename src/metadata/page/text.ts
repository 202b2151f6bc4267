/** Turns values as a page writes them into texts and URLs of the response. */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { ByteRange } from '#html';

/** The longest text in the response, in characters (UTF-16 code units). */
const MAX_TEXT_LENGTH = 10_000;
/** The longest URL in the response, in characters. */
const MAX_URL_LENGTH = 8_192;
/** Holds MAX_TEXT_LENGTH characters, each written as a character reference. */
export const MAX_RAW_LENGTH = 131_072;
/** Values are compared up to this number of bytes. */
const MAX_WORD_BYTES = 1_000;
/** A longer key matches nothing. */
const MAX_KEY_BYTES = 200;

/**
 * Returns the text of a title (`text`) or attribute value (`attribute`), or null if it is blank: character
 * references decoded once, controls and invisible characters removed, ASCII white space collapsed, cut after
 * MAX_TEXT_LENGTH characters.
 */
export function normalizeText(raw: string, kind: 'text' | 'attribute'): string | null {
  const decoded = decodeReferences(raw.slice(0, MAX_RAW_LENGTH), kind);
  const collapsed = removeInvisible(removeControls(decoded))
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim();
  return collapsed === '' ? null : truncateText(collapsed.toWellFormed(), MAX_TEXT_LENGTH);
}

/** Decodes character references once, as the HTML tokenizer does; NUL becomes U+FFFD. */
export function decodeReferences(raw: string, kind: 'text' | 'attribute'): string {
  const text = raw.includes('\0') ? raw.replaceAll('\0', '\uFFFD') : raw;
  if (!text.includes('&')) return text;
  return kind === 'text' ? decodeHTML(text) : decodeHTMLAttribute(text);
}

/** Parses a URL relative to `base`. Returns it absolute, or null if invalid or not http(s). */
export function parseHttpUrl(value: string, base: string): string | null {
  const url = parseUrl(value, base);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

/** Parses a URL relative to `base`. Returns null if it is blank, malformed or longer than MAX_URL_LENGTH. */
export function parseUrl(value: string, base: string): URL | null {
  if (value.trim() === '' || value.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(value, base);
  return url === null || url.href.length > MAX_URL_LENGTH ? null : url;
}

/** Decodes a value that is compared with ASCII words. */
export function decodeWord(bytes: Buffer, { start, end }: ByteRange): string {
  const source = bytes.toString('latin1', start, Math.min(end, start + MAX_WORD_BYTES));
  return decodeReferences(source, 'attribute');
}

/** Decodes a name or a list of tokens: lower case, trimmed; '' if it is too long to match any. */
export function decodeKey(bytes: Buffer, range: ByteRange): string {
  return range.end - range.start > MAX_KEY_BYTES ? '' : decodeWord(bytes, range).trim().toLowerCase();
}

/** Removes C0 and C1 controls, except white space, and DEL. */
function removeControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]+/g, '');
}

const MARK = /^(?:\p{M}|\u200D)/u;

/**
 * Cuts `text` after `length` code units or a few less, not in a surrogate pair or before a combining mark.
 */
function truncateText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = length;
  for (let back = 0; back < 32; back++) {
    const isPair = (text.charCodeAt(end) & 0xfc00) === 0xdc00;
    const isJoined = MARK.test(text.slice(end, end + 2)) || text.charCodeAt(end - 1) === 0x200d;
    if (!isPair && !isJoined) return text.slice(0, end).trimEnd();
    end--;
  }
  return text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd();
}

// Removes characters that show nothing or reorder what is shown: a title could deceive its readers.

/** Characters among which are all invisible ones, as code units: a class without the flag `u` is faster. */
const SUSPECT = new RegExp(
  String.raw`[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud82f\ud834\udb40-\udb43\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]`,
);
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const EACH_INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** The blocks of right-to-left scripts (UAX #9 §3.2), without ALM. */
const RIGHT_TO_LEFT =
  /[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** The character before a joiner: a mark, an emoji, or a letter or digit whose form or place it changes. */
const JOINS =
  /^(?:[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|(?![\p{sc=Latn}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Hebr}])\p{Lo}|(?=[\p{scx=Arab}\p{sc=Adlm}])[\p{L}\p{Nd}])$/u;
/** The character before a joiner at the end: a virama of South Asia, or a letter that it connects. */
const JOINS_AT_END =
  /^(?:[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]|(?=\p{sc=Arab})\p{L})$/u;
/** A regional flag is U+1F3F4, at most six of these tags, and the last of them as its end (UTS #51 §C.1). */
const FIRST_TAG = 0xe0020;
const LAST_TAG = 0xe007f;
const MAX_TAGS = 7;

/**
 * Returns `text` without default-ignorable characters (UAX #44), which include the bidi controls, except
 * those with a use (UTS #39 §3.1.1, UAX #31 §2.3, UTS #51):
 * - zero-width joiners and non-joiners inside emoji, and after letters of the scripts that need them
 *   (a joiner also at the end): नर्‍,
 * - one variation selector after a character: ❤️,
 * - the letters of a regional flag after U+1F3F4,
 * - the marks LRM, RLM and ALM in a text that has right-to-left letters: they reorder punctuation only.
 */
export function removeInvisible(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const isRightToLeft = RIGHT_TO_LEFT.test(text);
  return text.replace(EACH_INVISIBLE, (character, at: number) => {
    const code = character.codePointAt(0)!;
    const isNeeded = isMark(code) ? isRightToLeft : hasUse(code, text, at);
    return isNeeded ? character : '';
  });
}

/** LRM, RLM, ALM. */
function isMark(code: number): boolean {
  return code === 0x200e || code === 0x200f || code === 0x061c;
}

/** Returns whether the character `code` at this position of `text` has a use. */
function hasUse(code: number, text: string, at: number): boolean {
  const before = findCharacterBefore(text, at);
  if (code === 0x200d && at + 1 === text.length) return JOINS_AT_END.test(before);
  if (code === 0x200c || code === 0x200d) return JOINS.test(before) && at + 1 < text.length;
  if (isVariationSelector(code)) return before.trim() !== '' && !INVISIBLE.test(before);
  if (code === 0x180e) return /\p{sc=Mong}/u.test(before);
  return isTag(code) && isInFlag(text, at);
}

function isTag(code: number): boolean {
  return code >= FIRST_TAG && code <= LAST_TAG;
}

/** Returns whether a tag at this position belongs to a flag. */
function isInFlag(text: string, at: number): boolean {
  let start = at - 2;
  const end = at - 2 * MAX_TAGS;
  while (start > end && isTag(text.codePointAt(start)!) && text.codePointAt(start) !== LAST_TAG) start -= 2;
  return start >= 0 && text.codePointAt(start) === 0x1f3f4;
}

function isVariationSelector(code: number): boolean {
  const isMongolian = (code >= 0x180b && code <= 0x180d) || code === 0x180f;
  return isMongolian || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

function findCharacterBefore(text: string, at: number): string {
  const isPair = at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}
