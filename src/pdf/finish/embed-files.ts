import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import type { Attachment } from './finishing.ts';
import { getModificationDate, toTextString } from './set-metadata.ts';

const SAMPLE_BYTES = 64 * 1024;
/** A file whose beginning does not shrink below this share is stored as it is: pictures, archives. */
const MIN_RATIO = 0.97;

/**
 * Embeds files (ISO 32000-1 §7.11.4) in the name tree of the PDF, and associates each with the document
 * (ISO 32000-2 §14.13).
 */
export function embedFiles(pdf: PDFDocument, files: readonly Attachment[]): void {
  if (files.length === 0) return;
  const { context, catalog } = pdf;
  const embedded = files.map((file) => ({
    key: toTextString(file.name),
    specification: context.register(createFileSpecification(pdf, file)),
  }));
  const associated = catalog.lookupMaybe(PDFName.of('AF'), PDFArray) ?? context.obj([]);
  for (const { specification } of embedded) associated.push(specification);
  catalog.set(PDFName.of('AF'), associated);
  addNames(pdf, embedded);
}

/** Adds names to the tree of embedded files, whose keys must be in the order of their bytes. */
function addNames(
  { context, catalog }: PDFDocument,
  added: readonly { key: PDFHexString; specification: PDFRef }[],
): void {
  const names = catalog.lookupMaybe(PDFName.of('Names'), PDFDict) ?? context.obj({});
  const tree = names.lookupMaybe(PDFName.of('EmbeddedFiles'), PDFDict) ?? context.obj({});
  const list = tree.lookupMaybe(PDFName.of('Names'), PDFArray)?.asArray() ?? [];
  const entries = added.map(({ key, specification }) => [key, specification] as const);
  for (let at = 0; at < list.length; at += 2)
    entries.push([list[at] as PDFHexString, list[at + 1] as PDFRef]);
  entries.sort(([one], [other]) => Buffer.compare(one.asBytes(), other.asBytes()));
  tree.set(PDFName.of('Names'), context.obj(entries.flat()));
  names.set(PDFName.of('EmbeddedFiles'), tree);
  catalog.set(PDFName.of('Names'), names);
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
    UF: toTextString(file.name),
    EF: { F: stream, UF: stream },
    AFRelationship: file.relationship,
    ...(file.description !== null && { Desc: toTextString(file.description) }),
  });
}

function createStream(pdf: PDFDocument, { bytes, mediaType }: Attachment) {
  const { data, filter } = compress(bytes);
  const date = getModificationDate(pdf);
  return pdf.context.stream(data, {
    Type: 'EmbeddedFile',
    // The library takes "#41" for the escape of "A".
    Subtype: PDFName.of(mediaType.replaceAll('#', '#23')),
    ...filter,
    Params: {
      Size: bytes.length,
      CheckSum: PDFHexString.of(hash('md5', bytes, 'hex')),
      ...(date && { CreationDate: date, ModDate: date }),
    },
  });
}

function compress(bytes: Uint8Array): { data: Uint8Array; filter: { Filter?: string } } {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (deflateSync(sample).length > sample.length * MIN_RATIO) return { data: bytes, filter: {} };
  return { data: deflateSync(bytes), filter: { Filter: 'FlateDecode' } };
}
