import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFPageLeaf } from '@cantoo/pdf-lib';
import { listItems } from '../objects/list-pages.ts';
import type { Offset } from './sheet-form.ts';

const ANNOTS = PDFName.of('Annots');
const RECT = PDFName.of('Rect');

/** Copies the links of a sheet to a page, as each page has annotations of its own. */
export function copyLinks(sheet: PDFPageLeaf, page: PDFPageLeaf, { x, y }: Offset): void {
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
