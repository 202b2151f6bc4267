import { PDFDict, PDFName, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { listPages } from '../objects/list-pages.ts';
import { listNamedLinks, removeLinks } from './links.ts';

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
   * Adds those of the document of this catalog. A name that is taken is changed, with the links of the
   * document that lead to it.
   */
  add(catalog: PDFDict): void {
    const renamed = new Map<PDFName, PDFName>();
    for (const [name, destination] of catalog.lookupMaybe(DESTS, PDFDict)?.entries() ?? [])
      this.#addOne(name, destination, renamed);
    if (renamed.size === 0) return;
    for (const { link, name } of listNamedLinks(listPages({ context: this.#pdf.context, catalog }))) {
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
