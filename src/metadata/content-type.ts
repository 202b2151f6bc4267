/** What a page's Content-Type says, read as browsers do (WHATWG MIME Sniffing §4.4). */
import { parseCharsetLabel } from './charset/labels.ts';

export interface ContentType {
  /** `type/subtype` in lower case. */
  essence: string;
  /** The WHATWG name of its charset parameter, or null for none or an unknown one. */
  charset: string | null;
}

/** How a body is read: as HTML, as XML that claims to be HTML, as either once its root or its first bytes are seen, or not at all. */
export type PageKind = 'html' | 'xhtml' | 'xml' | 'unknown' | 'other';

/** The parsed header, or null where there is none or it is not a media type. */
export function parseContentType(header: string | undefined): ContentType | null {
  const [first = '', ...parameters] = (header ?? '').slice(0, 1_024).split(';');
  const essence = first.trim().toLowerCase();
  if (!/^[!#$%&'*+\-.^_`|~\w]+\/[!#$%&'*+\-.^_`|~\w]+$/.test(essence)) return null;
  for (const parameter of parameters) {
    const match = /^\s*charset\s*=\s*(.*)$/is.exec(parameter);
    const charset = match === null ? null : parseCharsetLabel(match[1]!);
    if (charset !== null) return { essence, charset };
  }
  return { essence, charset: null };
}

/** How to read a body with this Content-Type; `header` is undefined where there was none. */
export function findPageKind(header: string | undefined): PageKind {
  if (header === undefined || header.trim() === '') return 'unknown';
  const essence = parseContentType(header)?.essence ?? '';
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
