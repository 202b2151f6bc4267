import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  ParseSpeeds,
} from '@cantoo/pdf-lib';
import { FinishFault } from './finish-input.ts';

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

/** A document among the objects of the file that it became part of. */
export interface JoinedPart {
  catalog: PDFDict;
  pages: readonly PdfPage[];
  /** The numbers of its objects: from the first to the last. */
  first: number;
  last: number;
}

const KIDS = PDFName.of('Kids');

/** Lists the pages of a PDF in their order. */
export function getPages({ catalog }: { catalog: PDFDict }): PdfPage[] {
  const pages: PdfPage[] = [];
  (catalog.lookup(PDFName.of('Pages')) as PDFPageTree).traverse((page, ref) => {
    if (page instanceof PDFPageLeaf) pages.push({ ref, page });
  });
  return pages;
}

/** Lists the items of the array of a dictionary; the value alone if it is no array. */
export function listItems(dict: PDFDict, key: PDFName): PDFObject[] {
  const value = dict.lookup(key);
  if (value === undefined) return [];
  return value instanceof PDFArray ? value.asArray() : [dict.get(key) as PDFObject];
}

/** Returns a value that is a dictionary; undefined for any other. */
export function getDict(dict: PDFDict | undefined, key: PDFName): PDFDict | undefined {
  const value = dict?.lookup(key);
  return value instanceof PDFDict ? value : undefined;
}

/** Returns the text of a string object; null for any other. */
export function getText(value: PDFObject | undefined): string | null {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : null;
}

/** Returns the information dictionary (ISO 32000-1 §14.3.3), and adds one to a PDF without it. */
export function getInfo({ context }: PDFDocument): PDFDict {
  context.trailerInfo.Info ??= context.register(context.obj({}));
  return context.lookup(context.trailerInfo.Info, PDFDict);
}

type TreeEntry = readonly [key: PDFObject, value: PDFObject];

/** Lists the entries of a name tree or number tree (ISO 32000-1 §7.9.6 and §7.9.7) in their order. */
export function listTreeEntries(root: PDFDict | undefined, leafKey: 'Names' | 'Nums'): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const waiting = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { context } = node;
    const leaves = listItems(node, PDFName.of(leafKey));
    for (let at = 0; at + 1 < leaves.length; at += 2)
      entries.push([context.lookup(leaves[at]) as PDFObject, leaves[at + 1] as PDFObject]);
    waiting.push(
      ...listItems(node, KIDS)
        .map((kid) => context.lookup(kid, PDFDict))
        .toReversed(),
    );
  }
  return entries;
}

/** Writes a tree of one node. `entries` must be sorted. */
export function setTree(
  dict: PDFDict,
  key: PDFName,
  { leafKey, entries }: { leafKey: 'Names' | 'Nums'; entries: readonly TreeEntry[] },
): void {
  const { context } = dict;
  dict.set(key, context.register(context.obj({ [leafKey]: entries.flat() })));
}

/** More than any page of Chromium has. */
const MAX_STREAM_BYTES = 256 * 1024 * 1024;

/** Returns the bytes of a stream as Chromium writes it: deflated, or not encoded. Null for any other. */
export function decodeStream(stream: PDFObject | undefined): Buffer | null {
  if (!(stream instanceof PDFStream)) return null;
  const contents = stream.getContents();
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  if (filter === undefined || contents.length === 0)
    return Buffer.from(contents.buffer, contents.byteOffset, contents.length);
  if (filter !== PDFName.FlateDecode || stream.dict.has(PDFName.of('DecodeParms'))) return null;
  try {
    return inflateSync(contents, { maxOutputLength: MAX_STREAM_BYTES });
  } catch {
    throw new FinishFault('A page has too much content for a tagged PDF or PDF/A: divide it.');
  }
}

/** Replaces the bytes of a stream. `deflated` is their deflated form. */
export function replaceStream(stream: PDFRawStream, deflated: Uint8Array): void {
  stream.dict.set(PDFName.of('Filter'), PDFName.FlateDecode);
  stream.updateContents(deflated);
}

/**
 * Copies all objects of a PDF into another, under the numbers after those that it has: in time proportional
 * to their number, however they refer to each other. Streams are shared. Returns the function that gives the
 * reference that an object has after the copy.
 */
export function importObjects(source: PDFContext, target: PDFContext): (ref: PDFRef) => PDFRef {
  const offset = target.largestObjectNumber;
  const toRef = ({ objectNumber }: PDFRef): PDFRef => PDFRef.of(objectNumber + offset);
  const copy = (object: PDFObject): PDFObject => {
    if (object instanceof PDFRef) return toRef(object);
    if (object instanceof PDFRawStream) return PDFRawStream.of(copy(object.dict) as PDFDict, object.contents);
    if (!(object instanceof PDFDict || object instanceof PDFArray)) return object;
    // Pages look for what they inherit in a tree of this class, which its clone() would not have.
    const copied =
      object instanceof PDFPageTree
        ? PDFPageTree.fromMapWithContext(new Map(object.entries()), target)
        : object.clone(target);
    if (copied instanceof PDFDict) for (const [key, value] of copied.entries()) copied.set(key, copy(value));
    else for (const [index, item] of copied.asArray().entries()) copied.set(index, copy(item));
    return copied;
  };
  for (const [ref, object] of source.enumerateIndirectObjects()) target.assign(toRef(ref), copy(object));
  return toRef;
}

/** Deletes the objects that nothing refers to: they would be written into the file. */
export function dropUnreachable(context: PDFContext): void {
  const waiting = [context.trailerInfo.Root, context.trailerInfo.Info];
  const reached = new Set<PDFObject>();
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue;
      reached.add(object);
    }
    const found = context.lookup(object);
    const container = found instanceof PDFStream ? found.dict : found;
    if (container instanceof PDFArray) waiting.push(...container.asArray());
    else if (container instanceof PDFDict) waiting.push(...container.values());
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}
