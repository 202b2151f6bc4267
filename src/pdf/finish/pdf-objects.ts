import {
  PDFArray,
  PDFCatalog,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFStream,
  ParseSpeeds,
} from '@cantoo/pdf-lib';

/** Loads a PDF by Chromium, in one go: the thread has no other work. */
export async function loadPdf(bytes: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
    parseSpeed: ParseSpeeds.Fastest,
  });
}

export interface PdfPage {
  ref: PDFRef;
  page: PDFPageLeaf;
}

const KIDS = PDFName.of('Kids');

/** Lists the pages of a PDF in their order. */
export function getPages({ context, catalog }: { context: PDFContext; catalog: PDFDict }): PdfPage[] {
  const pages: PdfPage[] = [];
  const waiting = [catalog.get(PDFName.of('Pages'))];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const node = context.lookupMaybe(ref, PDFDict);
    if (!(ref instanceof PDFRef) || node === undefined) continue;
    if (node.has(KIDS)) waiting.push(...listItems(node, KIDS).toReversed());
    else pages.push({ ref, page: node as PDFPageLeaf });
  }
  return pages;
}

/** Lists the items of the array of a dictionary; the value alone if it is no array. */
export function listItems(dict: PDFDict, key: PDFName): PDFObject[] {
  const value = dict.lookup(key);
  if (value === undefined) return [];
  return value instanceof PDFArray ? value.asArray() : [dict.get(key) as PDFObject];
}

/** The objects of a PDF that were copied into another. */
export interface ImportedObjects {
  /** Returns the reference that an object has after the copy. */
  toRef: (ref: PDFRef) => PDFRef;
  /** Their numbers: from the first to the last. */
  first: number;
  last: number;
}

/**
 * Copies all objects of a PDF into another, under the numbers after those that it has: in time proportional
 * to their number, however they refer to each other. Streams are shared.
 */
export function importObjects(source: PDFContext, target: PDFContext): ImportedObjects {
  const offset = target.largestObjectNumber;
  const toRef = ({ objectNumber }: PDFRef): PDFRef => PDFRef.of(objectNumber + offset);
  const copy = (object: PDFObject): PDFObject => copyObject(object, { target, toRef });
  for (const [ref, object] of source.enumerateIndirectObjects()) target.assign(toRef(ref), copy(object));
  return { toRef, first: offset + 1, last: target.largestObjectNumber };
}

interface CopyOptions {
  target: PDFContext;
  toRef: ImportedObjects['toRef'];
}

/** Copies an object with what is inside it. Objects that cannot change are shared. */
function copyObject(object: PDFObject, options: CopyOptions): PDFObject {
  if (object instanceof PDFRef) return options.toRef(object);
  if (object instanceof PDFDict) return copyDict(object, options);
  if (object instanceof PDFRawStream) return PDFRawStream.of(copyDict(object.dict, options), object.contents);
  if (!(object instanceof PDFArray)) return object;
  const array = PDFArray.withContext(options.target);
  for (const one of object.asArray()) array.push(copyObject(one, options));
  return array;
}

function copyDict(dict: PDFDict, options: CopyOptions): PDFDict {
  const entries = new Map<PDFName, PDFObject>();
  for (const [key, value] of dict.entries()) entries.set(key, copyObject(value, options));
  const { target } = options;
  if (dict instanceof PDFPageLeaf) return PDFPageLeaf.fromMapWithContext(entries, target, false);
  if (dict instanceof PDFPageTree) return PDFPageTree.fromMapWithContext(entries, target);
  if (dict instanceof PDFCatalog) return PDFCatalog.fromMapWithContext(entries, target);
  return PDFDict.fromMapWithContext(entries, target);
}

/** Deletes the objects that nothing refers to: they would be written into the file. */
export function dropUnreachable(context: PDFContext): void {
  const { Root, Info, ID, Encrypt } = context.trailerInfo;
  const waiting = [Root, Info, ID, Encrypt].filter((object) => object !== undefined);
  const reached = new Set<PDFRef>();
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue;
      reached.add(object);
    }
    const found = object instanceof PDFRef ? context.lookup(object) : object;
    if (found !== undefined) for (const inner of listInner(found)) waiting.push(inner);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}

function listInner(object: PDFObject): PDFObject[] {
  if (object instanceof PDFArray) return object.asArray();
  if (object instanceof PDFStream) return object.dict.values();
  return object instanceof PDFDict ? object.values() : [];
}
