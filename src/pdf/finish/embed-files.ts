import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type PDFDict, type PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import type { Attachment } from './finishing.ts';
import { getInfo } from './pdf-objects.ts';

/**
 * Embeds files (ISO 32000-1 §7.11.4) in the name tree of the PDF, and associates each with the document
 * (ISO 32000-2 §14.13).
 */
export function embedFiles(pdf: PDFDocument, files: readonly Attachment[]): void {
  if (files.length === 0) return;
  const { context, catalog } = pdf;
  const embedded = files.map((file) => ({
    key: PDFHexString.fromText(file.name),
    specification: context.register(createFileSpecification(pdf, file)),
  }));
  const specifications = embedded.map(({ specification }) => specification);
  catalog.set(PDFName.of('AF'), context.obj(specifications));
  // The keys of a name tree are in the order of their bytes.
  embedded.sort((one, other) => Buffer.compare(one.key.asBytes(), other.key.asBytes()));
  const names = context.obj(embedded.flatMap(({ key, specification }) => [key, specification]));
  catalog.set(PDFName.of('Names'), context.obj({ EmbeddedFiles: { Names: names } }));
}

function createFileSpecification(pdf: PDFDocument, file: Attachment): PDFDict {
  const { context } = pdf;
  const stream = context.register(createStream(pdf, file));
  // Old readers look for a name in ASCII.
  const ascii = file.name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7E]/gu, '_');
  return context.obj({
    Type: 'Filespec',
    F: PDFHexString.of(Buffer.from(ascii, 'latin1').toString('hex')),
    UF: PDFHexString.fromText(file.name),
    EF: { F: stream, UF: stream },
    AFRelationship: file.relationship,
    ...(file.description !== null && { Desc: PDFHexString.fromText(file.description) }),
  });
}

function createStream(pdf: PDFDocument, { bytes, mediaType }: Attachment) {
  const date = getInfo(pdf).get(PDFName.of('ModDate'));
  return pdf.context.stream(deflateSync(bytes), {
    Type: 'EmbeddedFile',
    Subtype: PDFName.of(mediaType),
    Filter: 'FlateDecode',
    Params: {
      Size: bytes.length,
      CheckSum: PDFHexString.of(hash('md5', bytes, 'hex')),
      ...(date && { CreationDate: date, ModDate: date }),
    },
  });
}
