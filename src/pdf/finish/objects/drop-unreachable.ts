import { PDFArray, PDFDict, PDFRef, PDFStream, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';

/** Deletes the objects that nothing refers to: they would be written into the file. */
export function dropUnreachable(context: PDFContext): void {
  const { Root, Info, ID, Encrypt } = context.trailerInfo;
  const waiting = [Root, Info, ID, Encrypt].filter((object) => object !== undefined);
  const reached = new Set<PDFRef>();
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue;
      reached.add(object);
    }
    const found = object instanceof PDFRef ? context.lookup(object) : object;
    if (found !== undefined) for (const inner of listInner(found)) waiting.push(inner);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}

function listInner(object: PDFObject): PDFObject[] {
  if (object instanceof PDFArray) return object.asArray();
  if (object instanceof PDFStream) return object.dict.values();
  return object instanceof PDFDict ? object.values() : [];
}
