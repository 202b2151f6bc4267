import { PDFName, PDFRawStream, PDFRef, type PDFArray, type PDFPageLeaf } from '@cantoo/pdf-lib';

/** A distance in points. */
export interface Offset {
  x: number;
  y: number;
}

const CONTENTS = PDFName.of('Contents');
/**
 * Makes the content stream of a printed sheet a form (ISO 32000-1 §8.10), as it is: a page by Chromium has
 * one stream. Returns its reference.
 */
export function toForm(sheet: PDFPageLeaf): PDFRef {
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

/** Returns the distance that lays the upper left corner of a sheet on that of a page. */
export function findOffset(page: PDFPageLeaf, sheet: PDFPageLeaf): Offset {
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
