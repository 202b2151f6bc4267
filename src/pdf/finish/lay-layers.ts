import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPageLeaf,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import type { Layer } from './finish-input.ts';
import { type PdfPage, importObjects, listItems, getPages, loadPdf } from './pdf-objects.ts';

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
  const contents = new PageContents(context);
  const pages = getPages(pdf);
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
  return getPages(source).map(({ ref }) => ({
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

const ANNOTS = PDFName.of('Annots');
const RECT = PDFName.of('Rect');

/** Copies the links of a sheet to a page, as each page has annotations of its own. */
function copyLinks(sheet: PDFPageLeaf, page: PDFPageLeaf, { x, y }: Offset): void {
  const { context } = page;
  const links = listItems(sheet, ANNOTS);
  if (links.length === 0) return;
  const annotations = PDFArray.withContext(context);
  for (const one of listItems(page, ANNOTS)) annotations.push(one);
  for (const link of links) {
    const copy = context.lookup(link, PDFDict).clone(context);
    const rect = copy
      .lookup(RECT, PDFArray)
      .asArray()
      .map((side) => context.lookup(side, PDFNumber).asNumber());
    copy.set(RECT, context.obj(rect.map((side, index) => side + (index % 2 === 0 ? x : y))));
    annotations.push(context.register(copy));
  }
  page.set(ANNOTS, annotations);
}

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const X_OBJECT = PDFName.of('XObject');

/** Adds content before and after the content of pages. */
class PageContents {
  readonly #context: PDFContext;
  /** The pages whose own content is between operators that save and restore the graphics state. */
  readonly #wrapped = new Set<PDFPageLeaf>();
  /** The pages whose resources are theirs alone. */
  readonly #resources = new Map<PDFPageLeaf, PDFDict>();
  #save: PDFRef | null = null;
  #restore: PDFRef | null = null;

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Adds a content stream, which must restore the graphics state. */
  add(page: PDFPageLeaf, stream: PDFRef, position: Layer['position']): void {
    const own = listItems(page, CONTENTS);
    const contents = PDFArray.withContext(this.#context);
    for (const one of position === 'behind' ? [stream, ...own] : [...this.#wrap(page, own), stream])
      contents.push(one);
    page.set(CONTENTS, contents);
  }

  /** Adds a form to the resources of a page, which may share them with others. */
  addForm(page: PDFPageLeaf, { name, form }: { name: string; form: PDFRef }): void {
    let forms = this.#resources.get(page);
    if (forms === undefined) {
      const resources = page.Resources()?.clone(this.#context) ?? PDFDict.withContext(this.#context);
      const shared = resources.lookupMaybe(X_OBJECT, PDFDict);
      forms = shared?.clone(this.#context) ?? PDFDict.withContext(this.#context);
      resources.set(X_OBJECT, forms);
      page.set(RESOURCES, resources);
      this.#resources.set(page, forms);
    }
    forms.set(PDFName.of(name), form);
  }

  #wrap<T>(page: PDFPageLeaf, own: readonly T[]): (T | PDFRef)[] {
    if (this.#wrapped.has(page)) return [...own];
    this.#wrapped.add(page);
    this.#save ??= this.#context.register(this.#context.stream('q\n'));
    this.#restore ??= this.#context.register(this.#context.stream('Q\n'));
    return [this.#save, ...own, this.#restore];
  }
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
  if (stream.dict.has(PDFName.of('Subtype'))) return ref;
  stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
  stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
  stream.dict.set(PDFName.of('BBox'), sheet.MediaBox());
  stream.dict.set(PDFName.of('Resources'), sheet.Resources() ?? sheet.context.obj({}));
  return ref;
}

/** Returns the distance between the upper left corners of a sheet and a page. */
function findOffset(page: PDFPageLeaf, sheet: PDFPageLeaf): Offset {
  const [to, from] = [toBox(page.CropBox() ?? page.MediaBox()), toBox(sheet.MediaBox())];
  return { x: round(to.left - from.left), y: round(to.top - from.top) };
}

function toBox(box: PDFArray): { left: number; top: number } {
  const { x, y, width, height } = box.asRectangle();
  return { left: Math.min(x, x + width), top: Math.max(y, y + height) };
}

/** Rounds to what is visible: equal boxes have the same stream. */
function round(points: number): number {
  return Math.round(points * 1_000) / 1_000 || 0;
}
