import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
} from '@cantoo/pdf-lib';

/** The reason why a document cannot be an archive: a sentence for its sender. */
export class ArchiveFault extends Error {
  override name = 'ArchiveFault';
}

/** Called with a dictionary or an array; for the dictionary of a stream, with the stream too. */
type VisitContainer = (container: PDFDict | PDFArray) => void;

/** Calls `visit` with each dictionary and array of a PDF once, also those inside others. */
export function visitContainers({ context }: PDFDocument, visit: VisitContainer): void {
  const open: PDFObject[] = [];
  for (const [, object] of context.enumerateIndirectObjects()) {
    open.push(object instanceof PDFStream ? object.dict : object);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next instanceof PDFArray) open.push(...listContainers(next.asArray()));
      else if (next instanceof PDFDict) open.push(...listContainers(next.values()));
      else continue;
      visit(next);
    }
  }
}

/** The others need no visit, and an array of numbers may be long. */
function listContainers(objects: readonly PDFObject[]): PDFObject[] {
  return objects.filter((object) => object instanceof PDFDict || object instanceof PDFArray);
}

/** More than Chromium writes for a page that a render may take. */
const MAX_CONTENT_BYTES = 256 * 1024 * 1024;

/** A content stream, which draws. */
export interface Content {
  /** Latin-1: bytes as characters. */
  text: string;
  /** The fonts that it names. */
  fonts: PDFDict | undefined;
  /** Counted from 1. Null: it is part of several pages. */
  page: number | null;
}

/** Lists the content of pages, then of forms and patterns. Streams are unpacked as they are listed. */
export function* listContents(pdf: PDFDocument): Generator<Content> {
  for (const [index, { node }] of pdf.getPages().entries()) {
    const contents = node.Contents();
    const streams = contents instanceof PDFArray ? contents.asArray() : contents ? [contents] : [];
    const text = streams.map((stream) => unpack(pdf.context.lookup(stream))).join('\n');
    yield { text, fonts: findFonts(node.Resources()), page: index + 1 };
  }
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream) || !isDrawn(object.dict)) continue;
    const resources = object.dict.lookup(PDFName.of('Resources'));
    yield { text: unpack(object), fonts: findFonts(resources), page: null };
  }
}

function isDrawn(dictionary: PDFDict): boolean {
  return (
    dictionary.lookup(PDFName.of('Subtype')) === PDFName.of('Form') ||
    dictionary.has(PDFName.of('PatternType'))
  );
}

function findFonts(resources: PDFObject | undefined): PDFDict | undefined {
  const fonts = resources instanceof PDFDict ? resources.lookup(PDFName.of('Font')) : undefined;
  return fonts instanceof PDFDict ? fonts : undefined;
}

function unpack(stream: PDFObject | undefined): string {
  if (!(stream instanceof PDFStream)) return '';
  const contents = stream instanceof PDFRawStream ? stream.contents : stream.getContents();
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  if (!stream.dict.has(PDFName.of('Filter'))) return bytes.toString('latin1');
  if (stream.dict.lookup(PDFName.of('Filter')) !== PDFName.of('FlateDecode'))
    throw new ArchiveFault('The PDF has content in a format that cannot be checked for PDF/A.');
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_CONTENT_BYTES }).toString('latin1');
  } catch {
    throw new ArchiveFault('A page has too much content for PDF/A: divide it, or send no pdfa.');
  }
}
