import { PDFDict, PDFHexString, PDFName, PDFRef, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import { formatXmp, type Conformance, type XmpMetadata } from './format-xmp.ts';

/**
 * Writes the XMP packet of a PDF: the metadata of its information dictionary, its language, and the
 * standards that it declares. Replaces an earlier packet. Both say the same if it is the last to be written.
 */
export function setXmp(pdf: PDFDocument, conformance: Conformance): void {
  const packet = Buffer.from(formatXmp(readMetadata(pdf), conformance), 'utf8');
  // PDF/A does not allow a filter here: programs find the packet in a file that they cannot parse.
  const stream = pdf.context.stream(packet, { Type: 'Metadata', Subtype: 'XML' });
  const key = PDFName.of('Metadata');
  const earlier = pdf.catalog.get(key);
  if (earlier instanceof PDFRef) pdf.context.delete(earlier);
  pdf.catalog.set(key, pdf.context.register(stream));
}

function readMetadata(pdf: PDFDocument): XmpMetadata {
  const info = pdf.context.lookup(pdf.context.trailerInfo.Info);
  const read = (dictionary: unknown, key: string): string | null => {
    const value = dictionary instanceof PDFDict ? dictionary.lookup(PDFName.of(key)) : undefined;
    return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : null;
  };
  return {
    title: read(info, 'Title'),
    author: read(info, 'Author'),
    subject: read(info, 'Subject'),
    keywords: read(info, 'Keywords'),
    language: read(pdf.catalog, 'Lang'),
    creator: read(info, 'Creator'),
    producer: read(info, 'Producer'),
    created: formatDate(read(info, 'CreationDate')),
    modified: formatDate(read(info, 'ModDate')),
  };
}

/** Converts a date string (ISO 32000-1 §7.9.4) to ISO 8601: `D:20261123075912+00'00'`. */
function formatDate(text: string | null): string | null {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:([+-]\d\d)'(\d\d)'?|Z.*)?$/.exec(text ?? '');
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, offset, offsetMinutes] = parts;
  const zone = offset === undefined ? 'Z' : `${offset}:${offsetMinutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
