/** What a page's Content-Type says, read as browsers do (WHATWG MIME Sniffing §4.4). */
import { parseCharsetLabel } from '../charset/parse-charset-label.ts';

export interface ContentType {
  /** `type/subtype` in lower case. */
  essence: string;
  /** The WHATWG name of its charset parameter, or null for none or an unknown one. */
  charset: string | null;
}

/** How a body is read: as HTML, as XML that claims to be HTML, as either once its root or its first bytes are seen, or not at all. */
export type PageKind = 'html' | 'xhtml' | 'xml' | 'unknown' | 'other';

/** What a header says in all, at most: more is no media type. */
const MAX_HEADER_LENGTH = 16_384;
/** Types that say nothing: the first bytes decide, as without any (MIME Sniffing §7). */
const SAYS_NOTHING = new Set(['*/*', 'unknown/unknown', 'application/unknown']);

/** The parsed header, or null where there is none or it is not a media type. Of several types the last counts, with the charset of one like it before (WHATWG Fetch, «extract a MIME type»). */
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

/** How to read a body with this Content-Type; `header` is undefined where there was none. */
export function findPageKind(header: string | undefined): PageKind {
  if (header === undefined || header.trim() === '') return 'unknown';
  const essence = parseContentType(header)?.essence ?? '';
  if (SAYS_NOTHING.has(essence)) return 'unknown';
  if (essence === 'text/html') return 'html';
  if (essence === 'application/xhtml+xml' || essence === 'application/vnd.wap.xhtml+xml') return 'xhtml';
  return essence === 'text/xml' || essence === 'application/xml' ? 'xml' : 'other';
}

const SNIFFED_BYTES = 512;
const MARKUP =
  /^\uFEFF?[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|\?xml|!--)(?:[\t\n\f\r >/]|-|$)/i;

/** Whether a body without a Content-Type begins as HTML does (MIME Sniffing §7.1); null while too little of it has come. */
export function looksLikeHtml(bytes: Buffer, isWhole: boolean): boolean | null {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes.length < SNIFFED_BYTES && !isWhole) return null;
  return MARKUP.test(bytes.toString('latin1', start, SNIFFED_BYTES));
}
