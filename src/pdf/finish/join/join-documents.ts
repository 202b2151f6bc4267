import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFPageTree,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { type JoinedPart, type PdfPage, getPages, importObjects, loadPdf } from '../pdf-objects.ts';
import { joinBookmarks, selectBookmarks } from './bookmarks.ts';
import { joinDestinations, listDestinations, setDestinations } from './links.ts';
import { joinStructures, selectElements } from './structure.ts';

/**
 * Joins PDFs by Chromium into the first: their pages, outlines, destinations and structures, in their order.
 * Links to a destination that only another document has lead there; those to none are removed.
 */
export async function joinDocuments(documents: readonly Uint8Array[]): Promise<PDFDocument> {
  const [first = new Uint8Array(), ...others] = documents;
  const pdf = await loadPdf(first);
  if (others.length === 0) return pdf;
  const { context, catalog } = pdf;
  const parts: JoinedPart[] = [
    { catalog, pages: getPages(pdf), first: 1, last: context.largestObjectNumber },
  ];
  for (const document of others) {
    const source = await loadPdf(document);
    const before = context.largestObjectNumber;
    const toRef = importObjects(source.context, context);
    const added = context.lookup(toRef(source.context.trailerInfo.Root as PDFRef), PDFDict);
    const pages = getPages({ catalog: added });
    parts.push({ catalog: added, pages, first: before + 1, last: context.largestObjectNumber });
  }
  setPages(
    pdf,
    parts.flatMap(({ pages }) => pages),
  );
  joinBookmarks(pdf, parts);
  joinStructures(pdf, parts);
  joinDestinations(pdf, parts);
  return pdf;
}

/**
 * Removes the other pages of a PDF, with all that leads to them: bookmarks, destinations, links and elements
 * of the structure.
 */
export function keepPages(pdf: PDFDocument, indexes: ReadonlySet<number>): void {
  const pages = getPages(pdf);
  const kept = pages.filter((_page, index) => indexes.has(index));
  if (kept.length === pages.length) return;
  const removed = new Set<PDFObject | undefined>(pages.map(({ ref }) => ref));
  for (const { ref } of kept) removed.delete(ref);
  setPages(pdf, kept);
  const isRemoved = (page: PDFObject | undefined): boolean => removed.has(page);
  selectBookmarks(pdf, { isRemoved, elements: selectElements(pdf, isRemoved) });
  const left = listDestinations(pdf.catalog).filter(([, destination]) => {
    const target = pdf.context.lookup(destination);
    return !(target instanceof PDFArray && isRemoved(target.get(0)));
  });
  setDestinations(pdf, new Map(left));
}

/** Replaces the page tree by one of these pages, which inherit nothing. */
function setPages({ context, catalog }: PDFDocument, pages: readonly PdfPage[]): void {
  const tree = PDFPageTree.withContext(context);
  tree.set(PDFName.of('Kids'), context.obj(pages.map(({ ref }) => ref)));
  tree.set(PDFName.of('Count'), context.obj(pages.length));
  const root = context.register(tree);
  for (const { page } of pages) page.set(PDFName.of('Parent'), root);
  catalog.set(PDFName.of('Pages'), root);
}
