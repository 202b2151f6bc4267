/** The contents of a page, as far as it was read. */
import { detectCharset } from '../charset/detect-charset.ts';
import type { ContentType, PageKind } from './content-type.ts';
import type { PageHead } from './fetch-page.ts';
import type { PageTags } from './page-tags.ts';

const EMPTY = Buffer.alloc(0);

export interface ScannedPage {
  head: PageHead;
  contentType: ContentType | null;
  /** The encoding of the original bytes; null if the page is not HTML and its Content-Type names none. */
  charset: string | null;
  /** Null if the page is not HTML. */
  html: { tags: PageTags; bytes: Buffer; bytesCharset: string } | null;
  /** The first bytes of a page that is not HTML; empty if its details are not wanted. */
  file: Buffer;
}

/** The state of a MetadataReader that a ScannedPage is computed from. */
export interface PageScan {
  head: PageHead;
  contentType: ContentType | null;
  kind: PageKind;
  /** Null until the scan has begun. */
  tags: PageTags | null;
  bytes: Buffer;
  /** The original encoding of bytes that were transcoded to UTF-8; else null. */
  transcodedFrom: string | null;
}

/** Computes the contents of a page; detects its charset unless the bytes were transcoded. */
export function computeScannedPage({
  head,
  contentType,
  kind,
  tags,
  bytes,
  transcodedFrom,
}: PageScan): ScannedPage {
  const header = contentType?.charset ?? null;
  const isHtml = bytes.length > 0 && kind !== 'other' && (kind !== 'xml' || tags?.hasHtmlRoot === true);
  if (tags === null || !isHtml) return { head, contentType, charset: header, html: null, file: bytes };
  if (transcodedFrom !== null)
    return {
      head,
      contentType,
      charset: transcodedFrom,
      html: { tags, bytes, bytesCharset: 'utf-8' },
      file: EMPTY,
    };
  const language = tags.language ?? tags.xmlLanguage;
  const charset = detectCharset(bytes.subarray(0, Math.min(bytes.length, tags.stopAt)), {
    header,
    meta: tags.charset,
    language: language === null ? null : bytes.toString('latin1', language.start, language.end),
  });
  return { head, contentType, charset, html: { tags, bytes, bytesCharset: charset }, file: EMPTY };
}
