import { PDFName } from '@cantoo/pdf-lib';
import { getText } from '../metadata/text.ts';
import type { Element, StructureTree } from '../structure/structure-tree.ts';

const NEEDS_TEXT = new Set(['Figure', 'Formula']);
/** The content of a figure that a screen reader can read. */
const READABLE = /^(?:Figure|Formula|Table|P|L|Code|BlockQuote|Link|H[1-6]?)$/;

/**
 * Makes a `<figure>` around text, a table or a named image a section: PDF's figure is the image itself. A
 * figure that holds nothing but a caption remains one, and needs an alternative text.
 */
export function repairFigures(tree: StructureTree): void {
  for (const element of tree.elements)
    if (element.role === 'Figure' && isUnnamed(element) && element.children.some(isReadable))
      tree.setRole(element, 'Sect');
}

function isReadable(element: Element): boolean {
  const open = [element];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.role === 'Caption') continue;
    if (READABLE.test(next.role)) return true;
    open.push(...next.children);
  }
  return false;
}

/** Counts the images and formulas without an alternative text (ISO 14289-1 §7.3 and §7.7). */
export function countUnnamedFigures(elements: readonly Element[]): number {
  return elements.filter((element) => NEEDS_TEXT.has(element.role) && isUnnamed(element)).length;
}

function isUnnamed({ dict }: Element): boolean {
  return !['Alt', 'ActualText'].some((name) => (getText(dict.lookup(PDFName.of(name))) ?? '').trim() !== '');
}
