import { PDFDict, type PDFDocument, PDFName, type PDFObject } from '@cantoo/pdf-lib';
import { type JoinedPart, type PdfPage, getPages, listItems } from '../pdf-objects.ts';

const ANNOTS = PDFName.of('Annots');
const DEST = PDFName.of('Dest');
const DESTS = PDFName.of('Dests');
const KIDS = PDFName.of('K');
const TYPE = PDFName.of('S');

/** Destinations by name (ISO 32000-1 §12.3.2.3). */
type Destinations = ReadonlyMap<PDFName, PDFObject>;

/** Lists the links of pages whose target is a named destination. */
function listNamedLinks(pages: readonly PdfPage[]): { link: PDFDict; name: PDFName }[] {
  return pages.flatMap(({ page }) =>
    listItems(page, ANNOTS).flatMap((item) => {
      const link = page.context.lookup(item, PDFDict);
      const name = link.lookup(DEST);
      return name instanceof PDFName ? [{ link, name }] : [];
    }),
  );
}

export function listDestinations(catalog: PDFDict): [name: PDFName, destination: PDFObject][] {
  return catalog.lookupMaybe(DESTS, PDFDict)?.entries() ?? [];
}

/**
 * Joins the destinations of documents. A name that is taken is changed, with the links of its document that
 * lead to it.
 */
export function joinDestinations(pdf: PDFDocument, parts: readonly JoinedPart[]): void {
  const joined = new Map<PDFName, PDFObject>();
  for (const { catalog, pages } of parts) {
    const renamed = new Map<PDFName, PDFName>();
    for (const [name, destination] of listDestinations(catalog)) {
      let free = name;
      for (let number = 2; joined.has(free); number += 1) free = PDFName.of(`${name.decodeText()}.${number}`);
      joined.set(free, destination);
      if (free !== name) renamed.set(name, free);
    }
    if (renamed.size > 0)
      for (const { link, name } of listNamedLinks(pages)) link.set(DEST, renamed.get(name) ?? name);
  }
  setDestinations(pdf, joined);
}

/** Sets the destinations of a PDF, and removes the links to others. Their text stays. */
export function setDestinations(pdf: PDFDocument, destinations: Destinations): void {
  const { context, catalog } = pdf;
  catalog.delete(DESTS);
  if (destinations.size > 0)
    catalog.set(DESTS, context.register(PDFDict.fromMapWithContext(new Map(destinations), context)));
  const pages = getPages(pdf);
  const links = listNamedLinks(pages).filter(({ name }) => !destinations.has(name));
  if (links.length === 0) return;
  const lost = new Set<unknown>(links.map(({ link }) => link));
  for (const { page } of pages) removeItems(page, ANNOTS, (item) => lost.has(item));
  // An element of the type Link must have an annotation.
  for (const [, object] of context.enumerateIndirectObjects())
    if (object instanceof PDFDict && object.get(TYPE) === PDFName.of('Link')) {
      const isLost = (item: PDFObject | undefined): boolean =>
        item instanceof PDFDict && lost.has(item.lookup(PDFName.of('Obj')));
      if (removeItems(object, KIDS, isLost)) object.set(TYPE, PDFName.of('Span'));
    }
}

/** Removes the items of an array for which `isRemoved` is true. Returns whether there was one. */
function removeItems(
  dict: PDFDict,
  key: PDFName,
  isRemoved: (item: PDFObject | undefined) => boolean,
): boolean {
  const items = listItems(dict, key);
  const kept = items.filter((item) => !isRemoved(dict.context.lookup(item)));
  if (kept.length < items.length) dict.set(key, dict.context.obj(kept));
  return kept.length < items.length;
}
