import {
  PDFBool,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFStream,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { type ImportedObjects, listItems } from '../pdf-objects.ts';
import { ElementIds } from './element-ids.ts';
import { listTreeEntries, setTreeEntries } from './trees.ts';

const ROOT = PDFName.of('StructTreeRoot');
const KIDS = PDFName.of('K');
const PARENT = PDFName.of('P');
const TYPE = PDFName.of('S');
const LANG = PDFName.of('Lang');
const PARENT_TREE = PDFName.of('ParentTree');
const NEXT_KEY = PDFName.of('ParentTreeNextKey');
const ID_TREE = PDFName.of('IDTree');
const PARENT_KEYS = [PDFName.of('StructParents'), PDFName.of('StructParent')];

/** The structure of joined documents (ISO 32000-1 §14.7): each becomes a part of one document. */
export class JoinedStructure {
  readonly #pdf: PDFDocument;
  readonly #parts: PDFRef[] = [];
  readonly #parents: [PDFNumber, PDFObject][] = [];
  readonly #ids = new ElementIds();
  /** That of the whole; null until a document has one. */
  #root: PDFDict | null = null;
  #nextKey = 0;

  constructor(pdf: PDFDocument) {
    this.#pdf = pdf;
    this.#adopt(pdf.catalog, { first: 1, last: pdf.context.largestObjectNumber });
  }

  /** Adds the structure of the document of this catalog, whose objects were imported. */
  add(catalog: PDFDict, imported: Pick<ImportedObjects, 'first' | 'last'>): void {
    this.#adopt(catalog, imported);
  }

  /** Sets the structure of the whole. */
  finish(): void {
    const root = this.#root;
    if (root === null) return;
    const { context, catalog } = this.#pdf;
    const document = context.obj({
      Type: 'StructElem',
      S: 'Document',
      P: catalog.get(ROOT),
      K: this.#parts,
    });
    if (catalog.has(LANG)) document.set(LANG, catalog.get(LANG) as PDFObject);
    const documentRef = context.register(document);
    for (const part of this.#parts) context.lookup(part, PDFDict).set(PARENT, documentRef);
    root.set(KIDS, documentRef);
    root.set(NEXT_KEY, PDFNumber.of(this.#nextKey));
    setTreeEntries(getTree(root, PARENT_TREE), 'Nums', this.#parents);
    if (this.#ids.size > 0) setTreeEntries(getTree(root, ID_TREE), 'Names', this.#ids.listEntries());
  }

  #adopt(catalog: PDFDict, range: Pick<ImportedObjects, 'first' | 'last'>): void {
    const root = catalog.lookupMaybe(ROOT, PDFDict);
    if (root === undefined) return;
    const { context } = this.#pdf;
    if (this.#root === null) {
      this.#root = root;
      this.#pdf.catalog.set(ROOT, catalog.get(ROOT) as PDFRef);
      this.#pdf.catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: PDFBool.True }));
    }
    this.#addParts(root, catalog);
    const offset = this.#nextKey;
    const objects = [...listRange(context, range)];
    for (const object of objects) shiftParentKeys(object, offset);
    for (const [key, value] of listTreeEntries(root.lookupMaybe(PARENT_TREE, PDFDict), 'Nums'))
      this.#addParent((key as PDFNumber).asNumber() + offset, value);
    this.#ids.add(listTreeEntries(root.lookupMaybe(ID_TREE, PDFDict), 'Names'), objects);
  }

  #addParent(key: number, value: PDFObject): void {
    this.#parents.push([PDFNumber.of(key), value]);
    this.#nextKey = Math.max(this.#nextKey, key + 1);
  }

  /** Makes the elements at the top, one by Chromium, parts of the whole, in their document's language. */
  #addParts(root: PDFDict, catalog: PDFDict): void {
    const { context } = this.#pdf;
    for (const item of listItems(root, KIDS)) {
      const element = context.lookup(item, PDFDict);
      if (element.get(TYPE) === PDFName.of('Document')) element.set(TYPE, PDFName.of('Part'));
      if (!element.has(LANG) && catalog.has(LANG)) element.set(LANG, catalog.get(LANG) as PDFObject);
      this.#parts.push(item instanceof PDFRef ? item : context.register(element));
    }
  }
}

function getTree(root: PDFDict, key: PDFName): PDFDict {
  const tree = root.lookupMaybe(key, PDFDict);
  if (tree !== undefined) return tree;
  const created = PDFDict.withContext(root.context);
  root.set(key, root.context.register(created));
  return created;
}

/** Yields the dictionaries of the objects whose numbers are in a range, streams included. */
function* listRange(
  context: PDFContext,
  { first, last }: Pick<ImportedObjects, 'first' | 'last'>,
): Generator<PDFDict, void, undefined> {
  for (let number = first; number <= last; number += 1) {
    const object = context.lookup(PDFRef.of(number));
    if (object instanceof PDFStream) yield object.dict;
    else if (object instanceof PDFDict) yield object;
  }
}

/** Moves the keys by which a page, an annotation or a form finds its elements. */
function shiftParentKeys(object: PDFDict, offset: number): void {
  for (const key of PARENT_KEYS) {
    const value = object.get(key);
    if (value instanceof PDFNumber) object.set(key, PDFNumber.of(value.asNumber() + offset));
  }
}
