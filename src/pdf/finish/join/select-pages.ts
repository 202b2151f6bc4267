import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFPageTree,
  PDFRef,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { listPages, type PdfPage } from '../objects/list-pages.ts';
import { removeLinks } from './links.ts';
import { selectBookmarks } from './select-bookmarks.ts';
import { selectElements } from './select-elements.ts';

const DESTS = PDFName.of('Dests');
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((key) => PDFName.of(key));

/**
 * Removes the other pages of a PDF, with all that leads to them: bookmarks, destinations, links and elements
 * of the structure.
 */
export function selectPages(pdf: PDFDocument, indexes: ReadonlySet<number>): void {
  const pages = listPages(pdf);
  const kept = pages.filter((_page, index) => indexes.has(index));
  if (kept.length === pages.length) return;
  const removed = new Set(pages.filter((_page, index) => !indexes.has(index)).map(({ ref }) => ref));
  setPages(pdf, kept);
  const isRemoved = (page: PDFObject | undefined): boolean => page instanceof PDFRef && removed.has(page);
  const elements = selectElements(pdf, isRemoved);
  selectBookmarks(pdf, { isRemoved, elements });
  const dests = pdf.catalog.lookupMaybe(DESTS, PDFDict);
  for (const [name, destination] of dests?.entries() ?? []) {
    const target = pdf.context.lookup(destination);
    if (target instanceof PDFArray && isRemoved(target.get(0))) dests?.delete(name);
  }
  removeLinks(pdf, (name) => dests?.has(name) !== true);
}

/** Replaces the page tree. */
function setPages({ context, catalog }: PDFDocument, pages: readonly PdfPage[]): void {
  for (const { page } of pages)
    for (const key of INHERITED) {
      const value = page.getInheritableAttribute(key);
      if (value !== undefined) page.set(key, value);
    }
  const kids = PDFArray.withContext(context);
  for (const { ref } of pages) kids.push(ref);
  const root = context.obj({ Type: 'Pages', Kids: kids, Count: pages.length });
  const rootRef = context.register(PDFPageTree.fromMapWithContext(new Map(root.entries()), context));
  for (const { page } of pages) page.setParent(rootRef);
  catalog.set(PDFName.of('Pages'), rootRef);
}
