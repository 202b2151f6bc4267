import { PDFDict, PDFHexString, PDFName, PDFString, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import type { FinishOptions } from './finish-input.ts';

/** The options that the information dictionary and the catalog have. */
export type MetadataOptions = Pick<
  FinishOptions,
  'title' | 'language' | 'author' | 'subject' | 'keywords' | 'now'
>;

/**
 * Sets the metadata of a request in the information dictionary (ISO 32000-1 §14.3.3) and the language in the
 * catalog. What the request leaves out stays as Chromium wrote it.
 */
export function setMetadata(pdf: PDFDocument, options: MetadataOptions): void {
  const { title, language, author, subject, keywords, now } = options;
  const info = getInfo(pdf);
  const setText = (dictionary: PDFDict, key: string, text: string | null): void => {
    if (text !== null) dictionary.set(PDFName.of(key), toTextString(text));
  };
  setText(info, 'Title', title);
  setText(info, 'Author', author);
  setText(info, 'Subject', subject);
  setText(info, 'Keywords', formatKeywords(keywords));
  setText(pdf.catalog, 'Lang', language);
  if (title !== null) pdf.catalog.getOrCreateViewerPreferences().setDisplayDocTitle(true);
  if (now === null) return;
  const date = PDFString.of(formatDate(now));
  for (const key of ['CreationDate', 'ModDate']) info.set(PDFName.of(key), date);
}

/** Returns the information dictionary, and adds one to a PDF without it. */
export function getInfo({ context }: PDFDocument): PDFDict {
  const existing = context.lookup(context.trailerInfo.Info);
  if (existing instanceof PDFDict) return existing;
  const info = context.obj({});
  context.trailerInfo.Info = context.register(info);
  return info;
}

/** Returns when the PDF was made, as a date string: the information dictionary has it. */
export function getModificationDate(pdf: PDFDocument): PDFObject | undefined {
  return getInfo(pdf).get(PDFName.of('ModDate'));
}

/** Formats keywords as one text; null if there are none. */
export function formatKeywords(keywords: readonly string[]): string | null {
  return keywords.length === 0 ? null : keywords.join(', ');
}

/** Returns a text string (ISO 32000-1 §7.9.2.2) in UTF-16, which has all characters. */
export function toTextString(text: string): PDFHexString {
  return PDFHexString.of(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex'));
}

/** Formats a date string (ISO 32000-1 §7.9.4) in UTC, as Chromium does. */
function formatDate(epochMs: number): string {
  return `D:${new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14)}+00'00'`;
}
