/** Values as written in a page → text for an answer: character references decoded once, controls dropped, ASCII white space collapsed. */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/** The longest text in an answer, in characters (UTF-16 code units). */
export const MAX_TEXT_LENGTH = 10_000;
/** The longest URL in an answer. */
export const MAX_URL_LENGTH = 8_192;
/** Ample for MAX_TEXT_LENGTH characters, each written as a reference; what is longer is mostly white space or an attack. */
export const MAX_RAW_LENGTH = 131_072;

/** The text of a title (`text`) or an attribute (`attribute`); null when nothing is left of it. */
export function readText(raw: string, kind: 'text' | 'attribute'): string | null {
  const decoded = decodeReferences(raw.slice(0, MAX_RAW_LENGTH), kind);
  const collapsed = stripControls(decoded)
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim();
  return collapsed === '' ? null : cutText(collapsed.toWellFormed(), MAX_TEXT_LENGTH);
}

/** Character references decoded as the tokenizer does, once; NUL is U+FFFD there. */
export function decodeReferences(raw: string, kind: 'text' | 'attribute'): string {
  const text = raw.includes('\0') ? raw.replaceAll('\0', '\uFFFD') : raw;
  if (!text.includes('&')) return text;
  return kind === 'text' ? decodeHTML(text) : decodeHTMLAttribute(text);
}

/** The http(s) URL that a value means relative to `base`, or null. */
export function readUrl(value: string, base: string): string | null {
  const url = resolveUrl(value, base);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

/** The absolute URL that a value means, or null for a blank, broken or overlong one. */
export function resolveUrl(value: string, base: string): URL | null {
  if (value.trim() === '' || value.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(value, base);
  return url === null || url.href.length > MAX_URL_LENGTH ? null : url;
}

/** C0 and C1 controls but white space, and DEL. */
function stripControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]+/g, '');
}

const MARK = /^(?:\p{M}|\u200D)/u;

/** At most `length` code units, not ending inside a surrogate pair and, where it can be helped, not before a combining mark. */
function cutText(text: string, length: number): string {
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
