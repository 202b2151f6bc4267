import { PDFHexString, PDFString, type PDFObject } from '@cantoo/pdf-lib';

/** A language as PDF/UA-1 requires it (RFC 3066). */
export const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

/** Returns the text of a string object; null for any other. */
export function getText(value: PDFObject | undefined): string | null {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : null;
}
