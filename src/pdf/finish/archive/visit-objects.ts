import { PDFArray, PDFDict, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';

/** Called with a dictionary or an array, and for dictionaries with that of its stream. */
export type VisitContainer = (container: PDFDict | PDFArray) => void;

/** Calls `visit` with each dictionary and array of a PDF once: those of objects, and those inside of them. */
export function visitContainers({ context }: PDFDocument, visit: VisitContainer): void {
  const open: PDFObject[] = [];
  for (const [, object] of context.enumerateIndirectObjects()) {
    open.push(object instanceof PDFStream ? object.dict : object);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next instanceof PDFArray) open.push(...listContainers(next.asArray()));
      else if (next instanceof PDFDict) open.push(...listContainers(next.values()));
      else continue;
      visit(next);
    }
  }
}

/** The others need no visit, and an array of numbers may be long. */
function listContainers(objects: readonly PDFObject[]): PDFObject[] {
  return objects.filter((object) => object instanceof PDFDict || object instanceof PDFArray);
}
