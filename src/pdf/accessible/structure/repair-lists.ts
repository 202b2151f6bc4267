import type { PDFObject } from '@cantoo/pdf-lib';
import { findMeaningfulParent, type Element, type StructureTree } from './structure-tree.ts';

/**
 * Gives lists the form of PDF/UA-1 (§7.6): a list has items, and an item has a label and a body. Chromium
 * puts the content of an item, and what else is in a list, beside them.
 */
export function repairLists(tree: StructureTree): void {
  for (const element of tree.elements) {
    if (element.role === 'L') wrapOthers(tree, element);
    else if (element.role === 'LI') addBody(tree, element);
  }
  const parents = new Set<Element>();
  for (const element of tree.elements)
    if (element.role === 'LI' && element.parent && findMeaningfulParent(element)?.role !== 'L')
      parents.add(element.parent);
  for (const parent of parents) wrapStrayItems(tree, parent);
}

/** Makes an item of each other element of a list. */
function wrapOthers(tree: StructureTree, list: Element): void {
  const allowed = new Set(['L', 'LI', 'Caption']);
  replaceChildren(tree, list, (child) => {
    if (allowed.has(child.role) || holdsItems(child)) return child;
    const item = tree.create('LI', list, []);
    const body = tree.create('LBody', item, [child]);
    tree.replaceContent(item, [body.ref], [body]);
    return item;
  });
}

function holdsItems({ role, children }: Element): boolean {
  return role === 'NonStruct' && children.length > 0 && children.every((child) => child.role === 'LI');
}

/** Moves the elements of an item into a body, except its label. */
function addBody(tree: StructureTree, item: Element): void {
  const content = item.children.filter(({ role }) => role !== 'Lbl' && role !== 'LBody');
  const [first] = content;
  if (!first) return;
  const moved = new Map<PDFObject, Element>(content.map((child) => [child.ref, child]));
  const kids = tree.getKids(item.dict);
  const labels = item.children.filter(({ role }) => role === 'Lbl' || role === 'LBody');
  const body = tree.create('LBody', item, content);
  const kept = kids.filter((kid) => !moved.has(kid));
  tree.replaceContent(item, [...kept, body.ref], [...labels, body]);
}

/** Makes lists of the items of an element that is no list. */
function wrapStrayItems(tree: StructureTree, parent: Element): void {
  const lists: Element[] = [];
  let list: Element | null = null;
  replaceChildren(tree, parent, (child) => {
    if (child.role !== 'LI') {
      list = null;
      return child;
    }
    if (list !== null) {
      list.children.push(child);
      return null;
    }
    list = tree.create('L', parent, [child]);
    lists.push(list);
    return list;
  });
  for (const made of lists) {
    const { dict, children } = made;
    tree.setKids(
      dict,
      children.map(({ ref }) => ref),
    );
    for (const child of children) tree.setParent(child, made);
  }
}

/** Replaces the elements in the content of an element; null removes one. The other content stays. */
function replaceChildren(
  tree: StructureTree,
  parent: Element,
  replace: (child: Element) => Element | null,
): void {
  const byRef = new Map<PDFObject, Element>(parent.children.map((child) => [child.ref, child]));
  const children: Element[] = [];
  const kids = tree.getKids(parent.dict).flatMap((kid) => {
    const child = byRef.get(kid);
    if (child === undefined) return [kid];
    const replacement = replace(child);
    if (replacement === null) return [];
    children.push(replacement);
    return [replacement.ref];
  });
  tree.replaceContent(parent, kids, children);
}
