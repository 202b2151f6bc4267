import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFPageLeaf,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import type { Layer } from './finish-input.ts';
import { getPages, importObjects, listItems, loadPdf } from './pdf-objects.ts';

const ANNOTS = PDFName.of('Annots');
const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');

/** The marks of content that is no part of the document's structure (ISO 32000-1 §14.8.2.2). */
const ARTIFACTS: Record<Layer['kind'], string> = {
  header: '/Type /Pagination /Subtype /Header /Attached [/Top]',
  footer: '/Type /Pagination /Subtype /Footer /Attached [/Bottom]',
  watermark: '/Type /Pagination /Subtype /Watermark',
};

/** Lays the pages of the layers on the pages of a PDF, in the order of the layers. */
export async function layLayers(pdf: PDFDocument, layers: readonly Layer[]): Promise<void> {
  const { context, catalog } = pdf;
  const isTagged = catalog.has(PDFName.of('StructTreeRoot'));
  const pages = getPages(pdf).map(({ page }) => page);
  for (const [number, layer] of layers.entries()) {
    const sheets = await importSheets(context, layer);
    const name = `Layer${number}`;
    const draw = createStamp(context, { name, artifact: isTagged ? ARTIFACTS[layer.kind] : null });
    for (const [index, at] of layer.pages) {
      const [page, sheet] = [pages[index], sheets[at]];
      if (page === undefined || sheet === undefined) continue;
      const offset = findOffset(page, sheet);
      // The library then saves and restores the graphics state around the page's own content.
      page.setXObject(PDFName.of(name), toForm(sheet));
      const own = listItems(page, CONTENTS);
      const contents = layer.position === 'behind' ? [draw(offset), ...own] : [...own, draw(offset)];
      page.set(CONTENTS, context.obj(contents));
      copyLinks(sheet, page, offset);
    }
  }
}

/** Copies the objects of a layer, and returns its pages. */
async function importSheets(context: PDFContext, { pdf }: Layer): Promise<PDFPageLeaf[]> {
  const source = await loadPdf(pdf);
  const toRef = importObjects(source.context, context);
  return getPages(source).map(({ ref }) => context.lookup(toRef(ref)) as PDFPageLeaf);
}

/** Returns a function that creates the content stream that draws a form; one for all pages of equal boxes. */
function createStamp(
  context: PDFContext,
  { name, artifact }: { name: string; artifact: string | null },
): (offset: Offset) => PDFRef {
  const streams = new Map<string, PDFRef>();
  const [begin, end] = artifact === null ? ['', ''] : [`/Artifact <<${artifact}>> BDC\n`, 'EMC\n'];
  return ({ x, y }) => {
    const source = `${begin}q\n1 0 0 1 ${x} ${y} cm\n/${name} Do\nQ\n${end}`;
    const stream = streams.get(source) ?? context.register(context.stream(source));
    streams.set(source, stream);
    return stream;
  };
}

/** Copies the links of a sheet to a page, as each page has annotations of its own. */
function copyLinks(sheet: PDFPageLeaf, page: PDFPageLeaf, { x, y }: Offset): void {
  const { context } = page;
  const copies = listItems(sheet, ANNOTS).map((link) => {
    const copy = context.lookup(link, PDFDict).clone(context);
    const { x: left, y: bottom, width, height } = copy.lookup(PDFName.of('Rect'), PDFArray).asRectangle();
    copy.set(
      PDFName.of('Rect'),
      context.obj([left + x, bottom + y, left + width + x, bottom + height + y].map(round)),
    );
    return context.register(copy);
  });
  if (copies.length > 0) page.set(ANNOTS, context.obj([...listItems(page, ANNOTS), ...copies]));
}

/** A distance in points. */
interface Offset {
  x: number;
  y: number;
}

/**
 * Makes the content stream of a printed sheet a form (ISO 32000-1 §8.10), as it is: a page by Chromium has
 * one stream. Returns its reference.
 */
function toForm(sheet: PDFPageLeaf): PDFRef {
  const ref = sheet.get(CONTENTS);
  const stream = sheet.context.lookup(ref);
  if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream))
    throw new Error('a sheet has more than one content stream');
  stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
  stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
  stream.dict.set(PDFName.of('BBox'), sheet.MediaBox());
  stream.dict.set(RESOURCES, sheet.Resources() ?? sheet.context.obj({}));
  return ref;
}

/** Returns the distance between the upper left corners of a sheet and a page. */
function findOffset(page: PDFPageLeaf, sheet: PDFPageLeaf): Offset {
  const to = (page.CropBox() ?? page.MediaBox()).asRectangle();
  const from = sheet.MediaBox().asRectangle();
  return { x: round(to.x - from.x), y: round(to.y + to.height - from.y - from.height) };
}

/** Rounds to what is visible: equal boxes have the same stream. */
function round(points: number): number {
  return Math.round(points * 1_000) / 1_000 || 0;
}
