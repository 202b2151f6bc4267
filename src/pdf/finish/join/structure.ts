import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { type JoinedPart, getDict, listItems, listTreeEntries, setTree } from '../pdf-objects.ts';

const ROOT = PDFName.of('StructTreeRoot');
const KIDS = PDFName.of('K');
const PARENT = PDFName.of('P');
const TYPE = PDFName.of('S');
const PAGE = PDFName.of('Pg');
const LANG = PDFName.of('Lang');
const PARENT_TREE = PDFName.of('ParentTree');
const ID_TREE = PDFName.of('IDTree');

/** Joins the structures of documents (ISO 32000-1 §14.7): each becomes a part of one document. */
export function joinStructures({ context, catalog }: PDFDocument, parts: readonly JoinedPart[]): void {
  const tagged = parts.filter((part) => part.catalog.has(ROOT));
  const [first] = tagged;
  if (first === undefined) return;
  const rootRef = first.catalog.get(ROOT) as PDFRef;
  const kids = tagged.flatMap((part) => listKids(part.catalog));
  const parents: [PDFNumber, PDFObject][] = [];
  let nextKey = 0;
  for (const part of tagged) {
    const offset = nextKey;
    shiftParentKeys(part, offset);
    for (const [key, value] of listTreeEntries(getDict(getDict(part.catalog, ROOT), PARENT_TREE), 'Nums')) {
      const shifted = (key as PDFNumber).asNumber() + offset;
      parents.push([PDFNumber.of(shifted), value]);
      nextKey = Math.max(nextKey, shifted + 1);
    }
  }
  const ids = tagged.flatMap((part) =>
    listTreeEntries(getDict(getDict(part.catalog, ROOT), ID_TREE), 'Names'),
  );
  const language = catalog.get(LANG);
  const document = context.register(
    context.obj({
      Type: 'StructElem',
      S: 'Document',
      P: rootRef,
      K: kids,
      ...(language && { Lang: language }),
    }),
  );
  for (const kid of kids) context.lookup(kid, PDFDict).set(PARENT, document);
  const root = context.lookup(rootRef, PDFDict);
  root.set(KIDS, document);
  root.set(PDFName.of('ParentTreeNextKey'), PDFNumber.of(nextKey));
  setTree(root, PARENT_TREE, { leafKey: 'Nums', entries: parents });
  if (ids.length > 0) setTree(root, ID_TREE, { leafKey: 'Names', entries: ids });
  catalog.set(ROOT, rootRef);
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
}

/** Lists the elements at the top of a document, one by Chromium, as parts in their document's language. */
function listKids(catalog: PDFDict): PDFObject[] {
  const kids = listItems(catalog.lookup(ROOT, PDFDict), KIDS);
  const language = catalog.get(LANG);
  for (const kid of kids) {
    const element = catalog.context.lookup(kid, PDFDict);
    if (element.get(TYPE) === PDFName.of('Document')) element.set(TYPE, PDFName.of('Part'));
    if (!element.has(LANG) && language !== undefined) element.set(LANG, language);
  }
  return kids;
}

const PARENT_KEYS = [PDFName.of('StructParents'), PDFName.of('StructParent')];

/** Moves the keys by which pages, annotations and forms find their elements. */
function shiftParentKeys({ catalog: { context }, first, last }: JoinedPart, offset: number): void {
  for (let number = first; number <= last; number += 1) {
    const object = context.lookup(PDFRef.of(number));
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    for (const key of PARENT_KEYS) {
      const value = dict.get(key);
      if (value instanceof PDFNumber) dict.set(key, PDFNumber.of(value.asNumber() + offset));
    }
  }
}

type IsRemoved = (page: PDFObject | undefined) => boolean;

/** Removes elements of the structure that are on removed pages only. Returns those that are left. */
export function selectElements({ context, catalog }: PDFDocument, isRemoved: IsRemoved): Set<PDFObject> {
  const left = new Set<PDFObject>();
  const root = getDict(catalog, ROOT);
  if (root === undefined) return left;
  selectKids(root, { isRemoved, left });
  for (const [tree, leafKey] of [
    [PARENT_TREE, 'Nums'],
    [ID_TREE, 'Names'],
  ] as const) {
    if (!root.has(tree)) continue;
    const entries = listTreeEntries(getDict(root, tree), leafKey).filter(([, value]) => {
      const found = context.lookup(value);
      return found instanceof PDFArray ? found.asArray().some((one) => left.has(one)) : left.has(value);
    });
    setTree(root, tree, { leafKey, entries });
  }
  return left;
}

/** Removes the kids of an element that are on removed pages. Returns the number that is left. */
function selectKids(element: PDFDict, options: { isRemoved: IsRemoved; left: Set<PDFObject> }): number {
  const { context } = element;
  const items = listItems(element, KIDS);
  const kept = items.filter((item) => {
    const kid = context.lookup(item);
    if (kid instanceof PDFNumber) return !options.isRemoved(element.get(PAGE));
    if (!(kid instanceof PDFDict)) return false;
    if (!kid.has(TYPE)) return !options.isRemoved(kid.get(PAGE) ?? element.get(PAGE));
    const hadKids = kid.has(KIDS);
    if (selectKids(kid, options) === 0 && (hadKids || options.isRemoved(kid.get(PAGE)))) return false;
    options.left.add(item);
    return true;
  });
  if (options.isRemoved(element.get(PAGE))) element.delete(PAGE);
  if (kept.length === 0) element.delete(KIDS);
  else if (kept.length < items.length) element.set(KIDS, context.obj(kept));
  return kept.length;
}
