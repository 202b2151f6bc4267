import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFRef,
  type PDFContext,
  type PDFObject,
  type PDFPageLeaf,
} from '@cantoo/pdf-lib';

export interface PdfPage {
  ref: PDFRef;
  page: PDFPageLeaf;
}

const KIDS = PDFName.of('Kids');

/** Lists the pages of a PDF in their order. */
export function listPages({ context, catalog }: { context: PDFContext; catalog: PDFDict }): PdfPage[] {
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
