import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
} from '@cantoo/pdf-lib';
import { getDict, listItems } from '../../finish/pdf-objects.ts';

/** A language as PDF/UA-1 requires it (RFC 3066). */
export const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

const S = PDFName.of('S');
const K = PDFName.of('K');
const P = PDFName.of('P');
const TYPE = PDFName.of('Type');
const OBJECT_REFERENCE = PDFName.of('OBJR');
const STRUCT_ELEM = PDFName.of('StructElem');

/** An element of the structure (ISO 32000-1 §14.7.2). */
export interface Element {
  ref: PDFRef;
  dict: PDFDict;
  /** Without its slash, such as `H1`. */
  role: string;
  /** Null for the kids of the root. */
  parent: Element | null;
  children: Element[];
}

/** An annotation that is part of the structure. */
interface AnnotationPlace {
  parent: Element;
  /** The reference to the annotation among the children of `parent`. */
  reference: PDFObject;
}

/** The structure of a PDF, whose elements can be moved and added. */
export class StructureTree {
  readonly root: PDFDict;
  /** All elements, in the order of the text. Elements that are added later are not among them. */
  readonly elements: readonly Element[];
  readonly annotations = new Map<PDFObject, AnnotationPlace>();
  readonly #pdf: PDFDocument;

  private constructor(pdf: PDFDocument, root: PDFDict) {
    this.#pdf = pdf;
    this.root = root;
    this.elements = this.#read();
  }

  /** Opens the structure of a PDF. Null if it has none: Chromium makes none for a document without text. */
  static open(pdf: PDFDocument): StructureTree | null {
    const root = getDict(pdf.catalog, PDFName.of('StructTreeRoot'));
    return root === undefined ? null : new StructureTree(pdf, root);
  }

  /** Sets the content of an element: elements, marked content and references to annotations. */
  setKids(dict: PDFDict, kids: readonly PDFObject[]): void {
    dict.set(K, this.#pdf.context.obj([...kids]));
  }

  /** Creates an element with these elements as its content. Its parent must then get it as content. */
  create(role: string, parent: Element, children: readonly Element[]): Element {
    const dict = this.#pdf.context.obj({ Type: STRUCT_ELEM, S: role, P: parent.ref });
    const element: Element = { ref: this.#pdf.context.register(dict), dict, role, parent, children: [] };
    for (const child of children) this.append(element, child);
    return element;
  }

  /** Appends an element to the content of another. */
  append(parent: Element, child: Element): void {
    parent.children.push(child);
    child.parent = parent;
    child.dict.set(P, parent.ref);
    const kids = parent.dict.lookup(K);
    if (kids instanceof PDFArray) kids.push(child.ref);
    else this.setKids(parent.dict, [...listItems(parent.dict, K), child.ref]);
  }

  /** Replaces the content of an element by `kids`, of which elements are among `children`. */
  replaceContent(element: Element, kids: readonly PDFObject[], children: Element[]): void {
    element.children = children;
    this.setKids(element.dict, kids);
  }

  #read(): Element[] {
    const elements: Element[] = [];
    const seen = new Set<PDFDict>();
    const open: { kid: PDFObject; parent: Element | null }[] = [];
    const push = (dict: PDFDict, parent: Element | null): void => {
      for (const kid of listItems(dict, K).reverse()) open.push({ kid, parent });
    };
    push(this.root, null);
    for (let next = open.pop(); next; next = open.pop()) {
      const { kid, parent } = next;
      if (kid instanceof PDFNumber) continue;
      const dict = this.#pdf.context.lookup(kid);
      if (!(dict instanceof PDFDict) || seen.has(dict)) continue;
      seen.add(dict);
      const role = dict.lookup(S);
      if (role instanceof PDFName && kid instanceof PDFRef) {
        const element: Element = { ref: kid, dict, role: role.decodeText(), parent, children: [] };
        elements.push(element);
        parent?.children.push(element);
        push(dict, element);
      } else if (parent && dict.get(TYPE) === OBJECT_REFERENCE) {
        const annotation = this.#pdf.context.lookup(dict.get(PDFName.of('Obj')));
        if (annotation) this.annotations.set(annotation, { parent, reference: kid });
      }
    }
    return elements;
  }
}

/** Returns the nearest ancestor that has a meaning. */
export function findMeaningfulParent({ parent }: Element): Element | null {
  let found = parent;
  while (found?.role === 'NonStruct') found = found.parent;
  return found;
}
