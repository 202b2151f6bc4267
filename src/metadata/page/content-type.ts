/** Parses Content-Type headers (WHATWG MIME Sniffing §4.4), and decides how a body is parsed. */
import { hasUtf8Mark } from '../charset/detect-charset.ts';
import { parseCharsetLabel } from '../charset/parse-charset-label.ts';

export interface ContentType {
  /** `type/subtype` in lower case. */
  essence: string;
  /** The WHATWG name of its charset parameter; null if there is none, or if it is unknown. */
  charset: string | null;
}

/**
 * The kind of a body: parsed as HTML (`html`); as XML (`xhtml`); as XML if its root is `<html>` (`xml`); as
 * HTML if its first bytes are markup (`unknown`); not at all (`other`).
 */
export type PageKind = 'html' | 'xhtml' | 'xml' | 'unknown' | 'other';

/** A longer header is cut. */
const MAX_HEADER_LENGTH = 16_384;
/** Types without meaning: the first bytes of the body decide (MIME Sniffing §7). */
const UNSPECIFIC_TYPES = new Set(['*/*', 'unknown/unknown', 'application/unknown']);

/**
 * Parses a Content-Type header; null if it has no valid media type. Of several types the last counts; its
 * charset may come from the same type before it (WHATWG Fetch, «extract a MIME type»).
 */
export function parseContentType(header: string | undefined): ContentType | null {
  let found: ContentType | null = null;
  for (const value of splitOutsideQuotes((header ?? '').slice(0, MAX_HEADER_LENGTH), ',')) {
    const type = parseMediaType(value);
    if (type === null || (type.essence === '*/*' && found !== null)) continue;
    if (type.essence === found?.essence) type.charset ??= found.charset;
    found = type;
  }
  return found;
}

function parseMediaType(text: string): ContentType | null {
  const [first = '', ...parameters] = splitOutsideQuotes(text, ';');
  const essence = first.trim().toLowerCase();
  if (!/^[!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+$/.test(essence)) return null;
  for (const parameter of parameters) {
    const match = /^\s*charset\s*=\s*(.*)$/is.exec(parameter);
    const charset = match === null ? null : parseCharsetLabel(match[1]!);
    if (charset !== null) return { essence, charset };
  }
  return { essence, charset: null };
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts = text.match(
    separator === ',' ? /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/g,
  );
  return parts ?? [];
}

/** Returns how a body with this Content-Type is parsed; `header` is undefined if there is none. */
export function findPageKind(header: string | undefined): PageKind {
  if (header === undefined || header.trim() === '') return 'unknown';
  const essence = parseContentType(header)?.essence ?? '';
  if (UNSPECIFIC_TYPES.has(essence)) return 'unknown';
  if (essence === 'text/html') return 'html';
  if (essence === 'application/xhtml+xml' || essence === 'application/vnd.wap.xhtml+xml') return 'xhtml';
  return essence === 'text/xml' || essence === 'application/xml' ? 'xml' : 'other';
}

const SNIFFED_BYTES = 512;
const MARKUP =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|\?xml|!--)(?:[\t\n\f\r >/]|-|$)/i;

/**
 * Returns whether a body without a Content-Type starts as HTML does (MIME Sniffing §7.1), or null if that
 * takes more bytes. `isWhole`: no more will come.
 */
export function looksLikeHtml(bytes: Buffer, isWhole: boolean): boolean | null {
  if (bytes.length < SNIFFED_BYTES && !isWhole) return null;
  const start = hasUtf8Mark(bytes) ? 3 : 0;
  return MARKUP.test(bytes.toString('latin1', start, SNIFFED_BYTES));
}
