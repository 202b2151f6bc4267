import { PDFDict, PDFName, PDFNumber, type PDFRef } from '@cantoo/pdf-lib';

const OUTLINES = PDFName.of('Outlines');
const FIRST = PDFName.of('First');
const LAST = PDFName.of('Last');
const NEXT = PDFName.of('Next');
const PREV = PDFName.of('Prev');
const PARENT = PDFName.of('Parent');
const COUNT = PDFName.of('Count');

/** Appends the bookmarks of the catalog `added` to those of `catalog`, of the same file. */
export function joinOutline(catalog: PDFDict, added: PDFDict): void {
  const outlines = added.lookupMaybe(OUTLINES, PDFDict);
  if (outlines?.has(FIRST) !== true) return;
  const own = catalog.lookupMaybe(OUTLINES, PDFDict);
  if (own?.has(LAST) !== true) {
    catalog.set(OUTLINES, added.get(OUTLINES) as PDFRef);
    return;
  }
  const [last, first] = [own.lookup(LAST, PDFDict), outlines.lookup(FIRST, PDFDict)];
  last.set(NEXT, outlines.get(FIRST) as PDFRef);
  first.set(PREV, own.get(LAST) as PDFRef);
  for (const item of listSiblings(first)) item.set(PARENT, catalog.get(OUTLINES) as PDFRef);
  own.set(LAST, outlines.get(LAST) as PDFRef);
  own.set(COUNT, PDFNumber.of(getCount(own) + getCount(outlines)));
}

function* listSiblings(first: PDFDict): Generator<PDFDict, void, undefined> {
  for (let item: PDFDict | undefined = first; item !== undefined; item = item.lookupMaybe(NEXT, PDFDict))
    yield item;
}

function getCount(item: PDFDict): number {
  return item.lookupMaybe(COUNT, PDFNumber)?.asNumber() ?? 0;
}
