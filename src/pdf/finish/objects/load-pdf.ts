import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib';

/** Loads a PDF by Chromium, in one go: the thread has no other work. */
export async function loadPdf(bytes: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
    parseSpeed: ParseSpeeds.Fastest,
  });
}
