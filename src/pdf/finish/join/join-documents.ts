import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPageTree,
  PDFRef,
} from '@cantoo/pdf-lib';
import { type PdfPage, importObjects, getPages, loadPdf } from '../pdf-objects.ts';
import { JoinedDestinations, removeLinks } from './links.ts';
import { joinOutline, selectBookmarks } from './select-bookmarks.ts';
import { JoinedStructure } from './structure.ts';
import { selectElements } from './select-elements.ts';

const PAGES = PDFName.of('Pages');
const PARENT = PDFName.of('Parent');
const COUNT = PDFName.of('Count');

/**
 * Joins PDFs by Chromium into the first: their pages, outlines, destinations and structures, in their order.
 * Links to a destination that only another document has lead there; those to none are removed.
 */
export async function joinDocuments(documents: readonly Uint8Array[]): Promise<PDFDocument> {
  const [first = new Uint8Array(), ...others] = documents;
  const pdf = await loadPdf(first);
  if (others.length === 0) return pdf;
  const { context, catalog } = pdf;
  const destinations = new JoinedDestinations(pdf);
  const structure = new JoinedStructure(pdf);
  const trees = [catalog.get(PAGES) as PDFRef];
  for (const document of others) {
    const source = await loadPdf(document);
    const imported = importObjects(source.context, context);
    const added = context.lookup(imported.toRef(source.context.trailerInfo.Root as PDFRef), PDFDict);
    destinations.add(added);
    structure.add(added, imported);
    joinOutline(catalog, added);
    trees.push(added.get(PAGES) as PDFRef);
  }
  joinPageTrees(pdf, trees);
  structure.finish();
  destinations.finish();
  return pdf;
}

/** Makes the page trees the children of a new one. */
function joinPageTrees({ context, catalog }: PDFDocument, trees: readonly PDFRef[]): void {
  const nodes = trees.map((ref) => context.lookup(ref, PDFDict));
  const count = nodes.reduce((sum, node) => sum + node.lookup(COUNT, PDFNumber).asNumber(), 0);
  const kids = PDFArray.withContext(context);
  for (const ref of trees) kids.push(ref);
  const root = context.obj({ Type: 'Pages', Kids: kids, Count: count });
  const rootRef = context.register(PDFPageTree.fromMapWithContext(new Map(root.entries()), context));
  for (const node of nodes) node.set(PARENT, rootRef);
  catalog.set(PAGES, rootRef);
}

const DESTS = PDFName.of('Dests');
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((key) => PDFName.of(key));

/**
 * Removes the other pages of a PDF, with all that leads to them: bookmarks, destinations, links and elements
 * of the structure.
 */
export function keepPages(pdf: PDFDocument, indexes: ReadonlySet<number>): void {
  const pages = getPages(pdf);
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
