import {
  PDFArray,
  PDFCatalog,
  PDFDict,
  type PDFName,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib';

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
