import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFRef,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { ParentTree } from './parent-tree.ts';
import type { Element, StructureTree } from './structure-tree.ts';

const ANNOTATIONS = PDFName.of('Annots');
const CONTENTS = PDFName.of('Contents');
const STRUCT_PARENT = PDFName.of('StructParent');
const LINK = PDFName.of('Link');

/**
 * Describes each link by its target, and makes each part of a link's element (ISO 14289-1 §7.18): links in
 * headers, in frames and of `aria-hidden` elements are part of none, others of one that is no link.
 */
export function repairLinks(pdf: PDFDocument, tree: StructureTree): void {
  const [document] = tree.elements;
  const parents = new ParentTree(tree);
  const added: Element[] = [];
  for (const page of pdf.getPages()) {
    const annotations = page.node.lookup(ANNOTATIONS);
    if (!(annotations instanceof PDFArray) || annotations.size() === 0) continue;
    page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
    for (const ref of annotations.asArray()) {
      const annotation = pdf.context.lookup(ref);
      if (!(annotation instanceof PDFDict) || annotation.get(PDFName.of('Subtype')) !== LINK) continue;
      describe(annotation);
      const link = document && addLink(tree, annotation, { document, ref, page: page.ref });
      if (!link) continue;
      added.push(link);
      const key = annotation.lookup(STRUCT_PARENT);
      if (key instanceof PDFNumber) parents.set(key.asNumber(), link.ref);
      else annotation.set(STRUCT_PARENT, parents.add(link.ref));
    }
  }
  if (!document || added.length === 0) return;
  const loose = added.filter(({ parent }) => parent === document).map(({ ref }) => ref);
  tree.setKids(document.dict, [...tree.getKids(document.dict), ...loose]);
  parents.write();
}

/** Describes a link by its target, unless it has a description. */
function describe(annotation: PDFDict): void {
  if (annotation.has(CONTENTS)) return;
  const action = annotation.lookup(PDFName.of('A'));
  const uri = action instanceof PDFDict ? action.lookup(PDFName.of('URI')) : undefined;
  const target = annotation.lookup(PDFName.of('Dest'));
  if (uri instanceof PDFString || uri instanceof PDFHexString) annotation.set(CONTENTS, uri);
  else if (target instanceof PDFName) annotation.set(CONTENTS, PDFHexString.fromText(target.decodeText()));
  else if (target instanceof PDFString || target instanceof PDFHexString) annotation.set(CONTENTS, target);
  else annotation.set(CONTENTS, PDFString.of('link'));
}

/** Creates the element of a link that has none. Null if it has one. */
function addLink(
  tree: StructureTree,
  annotation: PDFDict,
  { document, ref, page }: { document: Element; ref: PDFObject; page: PDFRef },
): Element | null {
  const place = tree.annotations.get(annotation);
  if (place?.parent.role === 'Link') return null;
  const link = tree.create('Link', place?.parent ?? document, []);
  link.dict.set(PDFName.of('Pg'), page);
  if (!place) {
    tree.setKids(link.dict, [annotation.context.obj({ Type: 'OBJR', Obj: ref, Pg: page })]);
    return link;
  }
  tree.setKids(link.dict, [place.reference]);
  const { dict } = place.parent;
  tree.setKids(
    dict,
    tree.getKids(dict).map((kid) => (kid === place.reference ? link.ref : kid)),
  );
  return link;
}
