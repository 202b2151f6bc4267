import { PDFDict, type PDFDocument, PDFName, PDFObject, PDFRef } from '@cantoo/pdf-lib';
import { getDict, listItems } from '../../finish/pdf-objects.ts';

/** A language as PDF/UA-1 requires it (RFC 3066). */
export const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

const S = PDFName.of('S');
const K = PDFName.of('K');
const P = PDFName.of('P');
const TYPE = PDFName.of('Type');
const OBJECT_REFERENCE = PDFName.of('OBJR');

/** An element of the structure (ISO 32000-1 §14.7.2). */
export interface Element {
  ref: PDFRef;
  dict: PDFDict;
  /** Without its slash, such as `H1`. */
  role: string;
  /** Null for the kids of the root, and for an element that is in no content yet. */
  parent: Element | null;
  content: readonly Content[];
}

/** An element, or marked content or a reference to an annotation. */
export type Content = Element | PDFObject;

export function isElement(content: Content): content is Element {
  return !(content instanceof PDFObject);
}

export function getChildren({ content }: Element): Element[] {
  return content.filter(isElement);
}

/** An annotation that is part of the structure. */
interface AnnotationPlace {
  parent: Element;
  /** The reference to the annotation in the content of `parent`. */
  reference: PDFObject;
}

/** The structure of a PDF, whose elements can be moved and added. */
export class StructureTree {
  readonly root: PDFDict;
  /** All elements, in the order of the text. Elements that are added later are not among them. */
  readonly elements: readonly Element[];
  readonly annotations = new Map<PDFObject, AnnotationPlace>();

  private constructor(root: PDFDict) {
    this.root = root;
    this.elements = this.#read();
  }

  /** Opens the structure of a PDF. Null if it has none: Chromium makes none for a document without text. */
  static open({ catalog }: PDFDocument): StructureTree | null {
    const root = getDict(catalog, PDFName.of('StructTreeRoot'));
    return root === undefined ? null : new StructureTree(root);
  }

  /** Creates an element with this content. It must then become content of another. */
  create(role: string, content: readonly Content[]): Element {
    const { context } = this.root;
    const dict = context.obj({ Type: 'StructElem', S: role });
    const element: Element = { ref: context.register(dict), dict, role, parent: null, content: [] };
    if (content.length > 0) this.setContent(element, content);
    return element;
  }

  /** Replaces the content of an element. */
  setContent(element: Element, content: readonly Content[]): void {
    const kids = content.map((item) => {
      if (!isElement(item)) return item;
      item.parent = element;
      item.dict.set(P, element.ref);
      return item.ref;
    });
    element.content = content;
    element.dict.set(K, this.root.context.obj(kids));
  }

  #read(): Element[] {
    const { context } = this.root;
    const elements: Element[] = [];
    const seen = new Set<PDFDict>();
    const open: { kid: PDFObject; parent: (Element & { content: Content[] }) | null }[] = [];
    const push = (dict: PDFDict, parent: (typeof open)[number]['parent']): void => {
      for (const kid of listItems(dict, K).toReversed()) open.push({ kid, parent });
    };
    push(this.root, null);
    for (let next = open.pop(); next; next = open.pop()) {
      const { kid, parent } = next;
      const dict = context.lookup(kid);
      const role = dict instanceof PDFDict ? dict.lookup(S) : undefined;
      if (dict instanceof PDFDict && role instanceof PDFName && kid instanceof PDFRef) {
        if (seen.has(dict)) continue;
        seen.add(dict);
        const element = { ref: kid, dict, role: role.decodeText(), parent, content: [] };
        elements.push(element);
        parent?.content.push(element);
        push(dict, element);
      } else if (parent) {
        parent.content.push(kid);
        const annotation =
          dict instanceof PDFDict && dict.get(TYPE) === OBJECT_REFERENCE && dict.lookup(PDFName.of('Obj'));
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
