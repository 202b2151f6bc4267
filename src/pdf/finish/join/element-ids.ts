import { PDFArray, PDFDict, PDFHexString, PDFName, PDFString, type PDFObject } from '@cantoo/pdf-lib';

const ID = PDFName.of('ID');
const ATTRIBUTES = PDFName.of('A');
const HEADERS = PDFName.of('Headers');
const DIGITS = 8;

/** The identifiers of elements, by which table cells name their headers: unique in joined documents. */
export class ElementIds {
  readonly #entries: [PDFString, PDFObject][] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Adds the identifiers of a document, and changes them in its objects to ones that no other has. */
  add(entries: readonly (readonly [PDFObject, PDFObject])[], objects: readonly PDFDict[]): void {
    const renamed = new Map<string, PDFString>();
    for (const [id, element] of entries) {
      const name = PDFString.of(`node${String(this.#entries.length + 1).padStart(DIGITS, '0')}`);
      renamed.set(toText(id) ?? '', name);
      this.#entries.push([name, element]);
    }
    if (renamed.size > 0) for (const object of objects) rename(object, renamed);
  }

  /** Lists the entries of the name tree, sorted. */
  listEntries(): readonly (readonly [PDFString, PDFObject])[] {
    return this.#entries;
  }
}

function rename(element: PDFDict, renamed: ReadonlyMap<string, PDFString>): void {
  const id = renamed.get(toText(element.get(ID)) ?? '');
  if (id !== undefined) element.set(ID, id);
  const attributes = element.lookup(ATTRIBUTES);
  for (const one of attributes instanceof PDFArray ? attributes.asArray() : [attributes]) {
    const headers = one instanceof PDFDict ? one.lookup(HEADERS) : undefined;
    if (headers instanceof PDFArray) renameItems(headers, renamed);
  }
}

function renameItems(headers: PDFArray, renamed: ReadonlyMap<string, PDFString>): void {
  for (const [index, header] of headers.asArray().entries()) {
    const id = renamed.get(toText(header) ?? '');
    if (id !== undefined) headers.set(index, id);
  }
}

/** Returns the text of a string; null for any other object. */
function toText(object: PDFObject | undefined): string | null {
  return object instanceof PDFString || object instanceof PDFHexString ? object.decodeText() : null;
}
