import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
} from '@cantoo/pdf-lib';

const OUTLINES = PDFName.of('Outlines');
const FIRST = PDFName.of('First');
const LAST = PDFName.of('Last');
const NEXT = PDFName.of('Next');
const PREV = PDFName.of('Prev');
const PARENT = PDFName.of('Parent');
const COUNT = PDFName.of('Count');

/** Appends the bookmarks of the catalog `added` to the bookmarks of `catalog`, of the same file. */
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

const DEST = PDFName.of('Dest');
const ELEMENT = PDFName.of('SE');

interface SelectOptions {
  isRemoved: (page: PDFObject | undefined) => boolean;
  /** The elements of the structure that are left. */
  elements: ReadonlySet<PDFRef>;
}

/** Removes the bookmarks of removed pages. Those below them take their places. */
export function selectBookmarks({ context, catalog }: PDFDocument, options: SelectOptions): void {
  const root = catalog.lookupMaybe(OUTLINES, PDFDict);
  const rootRef = catalog.get(OUTLINES);
  if (root === undefined || !(rootRef instanceof PDFRef)) return;
  const select = (parent: PDFDict): PDFRef[] =>
    listChildren(parent).flatMap((ref) => {
      const item = context.lookup(ref, PDFDict);
      const children = select(item);
      const destination = item.lookup(DEST);
      if (destination instanceof PDFArray && options.isRemoved(destination.get(0))) return children;
      setChildren(ref, children);
      const element = item.get(ELEMENT);
      if (element instanceof PDFRef && !options.elements.has(element)) item.delete(ELEMENT);
      return [ref];
    });
  const setChildren = (parentRef: PDFRef, children: readonly PDFRef[]): void =>
    link(parentRef, children, (ref) => context.lookup(ref, PDFDict));
  const top = select(root);
  setChildren(rootRef, top);
  if (top.length === 0) catalog.delete(OUTLINES);
}

function listChildren(parent: PDFDict): PDFRef[] {
  const children: PDFRef[] = [];
  for (let ref = parent.get(FIRST); ref instanceof PDFRef;) {
    children.push(ref);
    ref = parent.context.lookup(ref, PDFDict).get(NEXT);
  }
  return children;
}

/** Sets the children of a bookmark. Those that are open count with theirs. */
function link(parentRef: PDFRef, refs: readonly PDFRef[], get: (ref: PDFRef) => PDFDict): void {
  const parent = get(parentRef);
  for (const key of [FIRST, LAST, COUNT]) parent.delete(key);
  const [first, last] = [refs[0], refs.at(-1)];
  if (first === undefined || last === undefined) return;
  parent.set(FIRST, first);
  parent.set(LAST, last);
  let count = 0;
  for (const [index, ref] of refs.entries()) {
    const item = get(ref);
    item.set(PARENT, parentRef);
    setOrDelete(item, PREV, refs[index - 1]);
    setOrDelete(item, NEXT, refs[index + 1]);
    count += 1 + Math.max(0, item.lookupMaybe(COUNT, PDFNumber)?.asNumber() ?? 0);
  }
  parent.set(COUNT, PDFNumber.of(count));
}

function setOrDelete(dict: PDFDict, key: PDFName, value: PDFRef | undefined): void {
  if (value === undefined) dict.delete(key);
  else dict.set(key, value);
}
