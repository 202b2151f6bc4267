import { type PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';
import type { FinishOptions } from './finish-input.ts';
import { getInfo } from './pdf-objects.ts';

/**
 * Sets the metadata of a request in the information dictionary and the language in the catalog. What the
 * request leaves out stays as Chromium wrote it.
 */
export function setMetadata(pdf: PDFDocument, options: FinishOptions): void {
  const { title, language, author, subject, keywords, now } = options;
  const info = getInfo(pdf);
  const setText = (dictionary: PDFDict, key: string, text: string | null): void => {
    if (text !== null) dictionary.set(PDFName.of(key), PDFHexString.fromText(text));
  };
  setText(info, 'Title', title);
  setText(info, 'Author', author);
  setText(info, 'Subject', subject);
  setText(info, 'Keywords', keywords.length === 0 ? null : keywords.join(', '));
  setText(pdf.catalog, 'Lang', language);
  if (title !== null) pdf.catalog.getOrCreateViewerPreferences().setDisplayDocTitle(true);
  if (now === null) return;
  // In UTC, as Chromium writes dates (ISO 32000-1 §7.9.4).
  const date = PDFString.of(`D:${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}+00'00'`);
  for (const key of ['CreationDate', 'ModDate']) info.set(PDFName.of(key), date);
}
