/** Turns values as a page writes them into texts and URLs of the response. */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { ByteRange } from '#html';
import { removeInvisible } from './invisible.ts';

/** The longest text in the response, in characters (UTF-16 code units). */
export const MAX_TEXT_LENGTH = 10_000;
/** The longest URL in the response, in characters. */
export const MAX_URL_LENGTH = 8_192;
/** Holds MAX_TEXT_LENGTH characters, each written as a character reference. */
export const MAX_RAW_LENGTH = 131_072;
/** A value that is compared is cut after so many bytes. */
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
