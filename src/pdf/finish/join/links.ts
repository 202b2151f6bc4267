import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRef,
} from '@cantoo/pdf-lib';
import { type PdfPage, listItems, getPages } from '../pdf-objects.ts';

const ANNOTS = PDFName.of('Annots');
const DEST = PDFName.of('Dest');
const STRUCTURE = PDFName.of('StructTreeRoot');

interface NamedLink {
  link: PDFDict;
  name: PDFName;
}

/** Yields the links of pages whose target is a named destination. */
function* listNamedLinks(pages: readonly PdfPage[]): Generator<NamedLink, void, undefined> {
  for (const { page } of pages)
    for (const item of listItems(page, ANNOTS)) {
      const link = page.context.lookupMaybe(item, PDFDict);
      const name = link?.lookup(DEST);
      if (link !== undefined && name instanceof PDFName) yield { link, name };
    }
}

/** Removes the links to named destinations for which `isLost` is true. Their text stays. */
export function removeLinks(pdf: PDFDocument, isLost: (name: PDFName) => boolean): void {
  const lost = new Set<PDFDict>();
  const pages = getPages(pdf);
  for (const { link, name } of listNamedLinks(pages)) if (isLost(name)) lost.add(link);
  if (lost.size === 0) return;
  for (const { page } of pages) removeItems(page, ANNOTS, (item) => lost.has(item));
  if (pdf.catalog.has(STRUCTURE)) removeReferences(pdf.context, lost);
}

/** Removes the dictionaries of an array for which `isRemoved` is true. */
function removeItems(dict: PDFDict, key: PDFName, isRemoved: (item: PDFDict) => boolean): void {
  const items = listItems(dict, key);
  const kept = items.filter((item) => {
    const found = dict.context.lookup(item);
    return !(found instanceof PDFDict && isRemoved(found));
  });
  if (kept.length === items.length) return;
  const array = PDFArray.withContext(dict.context);
  for (const item of kept) array.push(item);
  dict.set(key, array);
}

/** Removes annotations from the structure: an element of the type Link must have one. */
function removeReferences(context: PDFContext, lost: ReadonlySet<PDFDict>): void {
  const isReference = (item: PDFDict): boolean => {
    const annotation = item.get(PDFName.of('Obj'));
    const found = annotation instanceof PDFRef ? context.lookup(annotation) : undefined;
    return found instanceof PDFDict && lost.has(found);
  };
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || object.get(PDFName.of('S')) !== PDFName.of('Link')) continue;
    const before = listItems(object, PDFName.of('K')).length;
    removeItems(object, PDFName.of('K'), isReference);
    if (listItems(object, PDFName.of('K')).length < before) object.set(PDFName.of('S'), PDFName.of('Span'));
  }
}

const DESTS = PDFName.of('Dests');

/** The destinations of joined documents, by name (ISO 32000-1 §12.3.2.3). */
export class JoinedDestinations {
  readonly #pdf: PDFDocument;
  readonly #dests: PDFDict;

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf;
    this.#dests = pdf.catalog.lookupMaybe(DESTS, PDFDict) ?? PDFDict.withContext(pdf.context);
    if (!pdf.catalog.has(DESTS)) pdf.catalog.set(DESTS, this.#dests);
  }

  /**
   * Adds the destinations of the document of this catalog. A name that is taken is changed, with the links of
   * the document that lead to it.
   */
  add(catalog: PDFDict): void {
    const renamed = new Map<PDFName, PDFName>();
    for (const [name, destination] of catalog.lookupMaybe(DESTS, PDFDict)?.entries() ?? [])
      this.#addOne(name, destination, renamed);
    if (renamed.size === 0) return;
    for (const { link, name } of listNamedLinks(getPages({ context: this.#pdf.context, catalog }))) {
      const to = renamed.get(name);
      if (to !== undefined) link.set(PDFName.of('Dest'), to);
    }
  }

  /** Removes the links to destinations that no document has. */
  finish(): void {
    removeLinks(this.#pdf, (name) => !this.#dests.has(name));
    if (this.#dests.keys().length === 0) this.#pdf.catalog.delete(DESTS);
  }

  #addOne(name: PDFName, destination: PDFObject, renamed: Map<PDFName, PDFName>): void {
    if (!this.#dests.has(name)) {
      this.#dests.set(name, destination);
      return;
    }
    let number = 2;
    const text = name.decodeText();
    while (this.#dests.has(PDFName.of(`${text}.${number}`))) number += 1;
    const free = PDFName.of(`${text}.${number}`);
    renamed.set(name, free);
    this.#dests.set(free, destination);
  }
}
