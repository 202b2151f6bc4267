import { PDFName, type PDFContext, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import type { Layer } from '../finish-input.ts';
import { importObjects } from '../objects/import-objects.ts';
import { listPages, type PdfPage } from '../objects/list-pages.ts';
import { loadPdf } from '../objects/load-pdf.ts';
import { copyLinks } from './copy-links.ts';
import { PageContents } from './page-contents.ts';
import { findOffset, toForm, type Offset } from './sheet-form.ts';

/** The marks of content that is no part of the document's structure (ISO 32000-1 §14.8.2.2). */
const ARTIFACTS: Record<Layer['kind'], string> = {
  header: '/Type /Pagination /Subtype /Header /Attached [/Top]',
  footer: '/Type /Pagination /Subtype /Footer /Attached [/Bottom]',
  watermark: '/Type /Pagination /Subtype /Watermark',
};

/** Lays the pages of the layers on those of a PDF, in the order of the layers. */
export async function layLayers(pdf: PDFDocument, layers: readonly Layer[]): Promise<void> {
  const { context, catalog } = pdf;
  const isTagged = catalog.has(PDFName.of('StructTreeRoot'));
  const contents = new PageContents(context);
  const pages = listPages(pdf);
  for (const [number, layer] of layers.entries()) {
    const sheets = await importSheets(context, layer);
    const draw = createStamp(context, {
      name: `Layer${number}`,
      artifact: isTagged ? ARTIFACTS[layer.kind] : null,
    });
    for (const [index, at] of layer.pages) {
      const [page, sheet] = [pages[index]?.page, sheets[at]];
      if (page === undefined || sheet === undefined) continue;
      const offset = findOffset(page, sheet.page);
      contents.addForm(page, { name: `Layer${number}`, form: toForm(sheet.page) });
      contents.add(page, draw(offset), layer.position);
      copyLinks(sheet.page, page, offset);
    }
  }
}

/** Copies the objects of a layer, and returns its pages. */
async function importSheets(context: PDFContext, { pdf }: Layer): Promise<PdfPage[]> {
  const source = await loadPdf(pdf);
  const { toRef } = importObjects(source.context, context);
  return listPages(source).map(({ ref }) => ({
    ref: toRef(ref),
    page: context.lookup(toRef(ref)) as PdfPage['page'],
  }));
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
