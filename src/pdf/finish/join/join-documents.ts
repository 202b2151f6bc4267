import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFPageTree,
  type PDFDocument,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { importObjects } from '../objects/import-objects.ts';
import { loadPdf } from '../objects/load-pdf.ts';
import { JoinedDestinations } from './destinations.ts';
import { joinOutline } from './outline.ts';
import { JoinedStructure } from './structure.ts';

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
