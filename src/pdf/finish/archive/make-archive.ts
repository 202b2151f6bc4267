import type { PDFDocument } from '@cantoo/pdf-lib';
import { checkGlyphs } from './check-glyphs.ts';
import { checkMediaTypes } from './check-media-types.ts';
import { completeObjects } from './complete-objects.ts';
import { setOutputIntent } from './set-output-intent.ts';
import { shortenTexts } from './shorten-texts.ts';

/**
 * Makes a PDF by Chromium conform to PDF/A-3b (ISO 19005-3), except for its XMP packet and its file
 * identifier. Returns warnings. Throws ArchiveFault if it cannot conform.
 */
export function makeArchive(pdf: PDFDocument): string[] {
  checkMediaTypes(pdf);
  checkGlyphs(pdf);
  completeObjects(pdf);
  setOutputIntent(pdf);
  return shortenTexts(pdf);
}
