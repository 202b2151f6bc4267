import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
} from '@cantoo/pdf-lib';
import type { JoinedPart } from '../pdf-objects.ts';

const OUTLINES = PDFName.of('Outlines');
const FIRST = PDFName.of('First');
const LAST = PDFName.of('Last');
const NEXT = PDFName.of('Next');
const PREV = PDFName.of('Prev');
const PARENT = PDFName.of('Parent');
const COUNT = PDFName.of('Count');

/** Joins the bookmarks of documents (ISO 32000-1 §12.3.3) under those of the first. */
export function joinBookmarks({ context, catalog }: PDFDocument, parts: readonly JoinedPart[]): void {
  const roots = parts.map((part) => part.catalog.get(OUTLINES)).filter((root) => root instanceof PDFRef);
  const [root] = roots;
  if (root === undefined) return;
  catalog.set(OUTLINES, root);
  setChildren(
    context,
    root,
    roots.flatMap((one) => listChildren(context, one)),
  );
}

const DEST = PDFName.of('Dest');
const ELEMENT = PDFName.of('SE');

interface SelectOptions {
  isRemoved: (page: PDFObject | undefined) => boolean;
  /** The elements of the structure that are left. */
  elements: ReadonlySet<PDFObject>;
}

/** Removes the bookmarks of removed pages. Those below them take their places. */
export function selectBookmarks({ context, catalog }: PDFDocument, options: SelectOptions): void {
  const root = catalog.get(OUTLINES);
  if (!(root instanceof PDFRef)) return;
  const select = (parent: PDFRef): PDFRef[] =>
    listChildren(context, parent).flatMap((ref) => {
      const item = context.lookup(ref, PDFDict);
      const children = select(ref);
      const destination = item.lookup(DEST);
      if (destination instanceof PDFArray && options.isRemoved(destination.get(0))) return children;
      setChildren(context, ref, children);
      const element = item.get(ELEMENT);
      if (element !== undefined && !options.elements.has(element)) item.delete(ELEMENT);
      return [ref];
    });
  const top = select(root);
  setChildren(context, root, top);
  if (top.length === 0) catalog.delete(OUTLINES);
}

function listChildren(context: PDFContext, parent: PDFRef): PDFRef[] {
  const children: PDFRef[] = [];
  for (let ref = context.lookup(parent, PDFDict).get(FIRST); ref instanceof PDFRef;) {
    children.push(ref);
    ref = context.lookup(ref, PDFDict).get(NEXT);
  }
  return children;
}

/** Sets the children of a bookmark. Those that are open count with theirs. */
function setChildren(context: PDFContext, parentRef: PDFRef, refs: readonly PDFRef[]): void {
  const set = (dict: PDFDict, key: PDFName, value: PDFObject | undefined): void => {
    if (value === undefined) dict.delete(key);
    else dict.set(key, value);
  };
  const parent = context.lookup(parentRef, PDFDict);
  set(parent, FIRST, refs[0]);
  set(parent, LAST, refs.at(-1));
  let count = 0;
  for (const [index, ref] of refs.entries()) {
    const item = context.lookup(ref, PDFDict);
    item.set(PARENT, parentRef);
    set(item, PREV, refs[index - 1]);
    set(item, NEXT, refs[index + 1]);
    count += 1 + Math.max(0, item.lookupMaybe(COUNT, PDFNumber)?.asNumber() ?? 0);
  }
  set(parent, COUNT, count === 0 ? undefined : PDFNumber.of(count));
}
