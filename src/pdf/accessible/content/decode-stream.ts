import { inflateSync } from 'node:zlib';
import { PDFName, PDFStream, type PDFObject, type PDFRawStream } from '@cantoo/pdf-lib';

/** More than any page of Chromium has. */
const MAX_BYTES = 256 * 1024 * 1024;
const NO_BYTES = new Uint8Array();

/** Returns the bytes of a stream as Chromium writes it: deflated, or not encoded. Null for any other. */
export function decodeStream(stream: PDFObject | undefined): Uint8Array | null {
  if (!(stream instanceof PDFStream)) return null;
  const contents = stream.getContents();
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return contents;
  if (filter !== PDFName.FlateDecode || stream.dict.has(PDFName.of('DecodeParms'))) return null;
  return contents.length === 0 ? NO_BYTES : inflateSync(contents, { maxOutputLength: MAX_BYTES });
}

/** Replaces the bytes of a stream. `deflated` is their deflated form. */
export function replaceStream(stream: PDFRawStream, deflated: Uint8Array): void {
  stream.dict.set(PDFName.of('Filter'), PDFName.FlateDecode);
  stream.updateContents(deflated);
}
