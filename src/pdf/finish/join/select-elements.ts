import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRef,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { listItems } from '../pdf-objects.ts';
import { listTreeEntries, setTreeEntries } from './trees.ts';

const KIDS = PDFName.of('K');
const PAGE = PDFName.of('Pg');

type IsRemoved = (page: PDFObject | undefined) => boolean;

/** Removes elements of the structure that are on removed pages only. Returns those that are left. */
export function selectElements({ context, catalog }: PDFDocument, isRemoved: IsRemoved): Set<PDFRef> {
  const left = new Set<PDFRef>();
  const root = catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
  if (root === undefined) return left;
  selectKids(root, { isRemoved, left });
  const isLeft = (object: PDFObject): boolean => object instanceof PDFRef && left.has(object);
  const parents = root.lookupMaybe(PDFName.of('ParentTree'), PDFDict);
  if (parents !== undefined) {
    const entries = listTreeEntries(parents, 'Nums').filter(([, value]) => {
      const found = context.lookup(value);
      return found instanceof PDFArray ? found.asArray().some(isLeft) : isLeft(value);
    });
    setTreeEntries(parents, 'Nums', entries);
  }
  const ids = root.lookupMaybe(PDFName.of('IDTree'), PDFDict);
  if (ids !== undefined)
    setTreeEntries(
      ids,
      'Names',
      listTreeEntries(ids, 'Names').filter(([, value]) => isLeft(value)),
    );
  return left;
}

/** Removes the kids of an element that are on removed pages. Returns the number that is left. */
function selectKids(element: PDFDict, options: { isRemoved: IsRemoved; left: Set<PDFRef> }): number {
  const { context } = element;
  const items = listItems(element, KIDS);
  const kept = items.filter((item) => {
    const kid = context.lookup(item);
    if (kid instanceof PDFNumber) return !options.isRemoved(element.get(PAGE));
    if (!(kid instanceof PDFDict)) return false;
    if (!kid.has(PDFName.of('S'))) return !options.isRemoved(kid.get(PAGE) ?? element.get(PAGE));
    const hadKids = kid.has(KIDS);
    if (selectKids(kid, options) === 0 && (hadKids || options.isRemoved(kid.get(PAGE)))) return false;
    if (item instanceof PDFRef) options.left.add(item);
    return true;
  });
  if (options.isRemoved(element.get(PAGE))) element.delete(PAGE);
  if (kept.length < items.length) setKids(element, kept);
  return kept.length;
}

function setKids(element: PDFDict, kids: readonly PDFObject[]): void {
  if (kids.length === 0) {
    element.delete(KIDS);
    return;
  }
  const array = PDFArray.withContext(element.context);
  for (const kid of kids) array.push(kid);
  element.set(KIDS, array);
}
