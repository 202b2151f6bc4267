import {
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import { getDict, getPages, getText, listItems, listTreeEntries, setTree } from '../../finish/pdf-objects.ts';
import {
  type Content,
  type Element,
  LANGUAGE_TAG,
  type StructureTree,
  findMeaningfulParent,
  getChildren,
  isElement,
} from './structure-tree.ts';

const ANNOTATIONS = PDFName.of('Annots');
const CONTENTS = PDFName.of('Contents');
const STRUCT_PARENT = PDFName.of('StructParent');
const PARENT_TREE = PDFName.of('ParentTree');

/**
 * Describes each link by its target, and makes each part of a link's element (ISO 14289-1 §7.18): links in
 * headers, in frames and of `aria-hidden` elements are part of none, others of one that is no link.
 */
export function repairLinks(pdf: PDFDocument, tree: StructureTree): void {
  const [document] = tree.elements;
  const parents = new Map(
    listTreeEntries(getDict(tree.root, PARENT_TREE), 'Nums').map(([key, parent]) => [
      (key as PDFNumber).asNumber(),
      parent,
    ]),
  );
  let nextKey = [...parents.keys()].reduce((next, key) => Math.max(next, key + 1), 0);
  const added: Element[] = [];
  for (const { page, ref: pageRef } of getPages(pdf))
    for (const ref of listItems(page, ANNOTATIONS)) {
      const annotation = pdf.context.lookup(ref, PDFDict);
      describe(annotation);
      const link = document && addLink(tree, annotation, { ref, page: pageRef });
      if (!link) continue;
      added.push(link);
      const key = annotation.lookupMaybe(STRUCT_PARENT, PDFNumber) ?? PDFNumber.of(nextKey++);
      annotation.set(STRUCT_PARENT, key);
      parents.set(key.asNumber(), link.ref);
    }
  if (!document || added.length === 0) return;
  tree.setContent(document, [...document.content, ...added.filter(({ parent }) => parent === null)]);
  const sorted = [...parents].sort(([one], [other]) => one - other);
  const entries = sorted.map(([key, parent]) => [PDFNumber.of(key), parent] as const);
  setTree(tree.root, PARENT_TREE, { leafKey: 'Nums', entries });
  tree.root.set(PDFName.of('ParentTreeNextKey'), PDFNumber.of(nextKey));
}

/** Describes a link by its target, unless it has a description. */
function describe(annotation: PDFDict): void {
  if (annotation.has(CONTENTS)) return;
  const uri = getDict(annotation, PDFName.of('A'))?.lookup(PDFName.of('URI'));
  const target = annotation.lookup(PDFName.of('Dest'));
  const text = target instanceof PDFName ? PDFHexString.fromText(target.decodeText()) : (uri ?? target);
  annotation.set(CONTENTS, text ?? PDFString.of('link'));
}

/** Creates the element of a link that has none. Null if it has one. */
function addLink(
  tree: StructureTree,
  annotation: PDFDict,
  { ref, page }: { ref: PDFObject; page: PDFRef },
): Element | null {
  const place = tree.annotations.get(annotation);
  if (place?.parent.role === 'Link') return null;
  const reference = place?.reference ?? annotation.context.obj({ Type: 'OBJR', Obj: ref, Pg: page });
  const link = tree.create('Link', [reference]);
  link.dict.set(PDFName.of('Pg'), page);
  if (place)
    tree.setContent(
      place.parent,
      place.parent.content.map((item) => (item === reference ? link : item)),
    );
  return link;
}

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

const LIST_PARTS = new Set(['L', 'LI', 'Caption']);

/** Makes an item of each other element of a list. */
function wrapOthers(tree: StructureTree, list: Element): void {
  const isOther = (item: Content): boolean =>
    isElement(item) && !LIST_PARTS.has(item.role) && !holdsItems(item);
  if (!list.content.some(isOther)) return;
  const content = list.content.map((item) =>
    isOther(item) ? tree.create('LI', [tree.create('LBody', [item])]) : item,
  );
  tree.setContent(list, content);
}

function holdsItems(element: Element): boolean {
  const children = getChildren(element);
  return element.role === 'NonStruct' && children.length > 0 && children.every(({ role }) => role === 'LI');
}

/** Moves the elements of an item into a body, except its label. */
function addBody(tree: StructureTree, item: Element): void {
  const isMoved = (one: Content): boolean => isElement(one) && one.role !== 'Lbl' && one.role !== 'LBody';
  const moved = item.content.filter(isMoved);
  if (moved.length === 0) return;
  const kept = item.content.filter((one) => !isMoved(one));
  tree.setContent(item, [...kept, tree.create('LBody', moved)]);
}

/** Makes lists of the items of an element that is no list. */
function wrapStrayItems(tree: StructureTree, parent: Element): void {
  const content: (Content | Content[])[] = [];
  let items: Content[] | null = null;
  for (const item of parent.content) {
    if (!isElement(item) || item.role !== 'LI') {
      items = null;
      content.push(item);
    } else if (items === null) content.push((items = [item]));
    else items.push(item);
  }
  tree.setContent(
    parent,
    content.map((one) => (Array.isArray(one) ? tree.create('L', one) : one)),
  );
}

/** The structure types of PDF 1.7 (ISO 32000-1 §14.8.4). */
const STANDARD = new Set(
  [
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6',
    'L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot',
    'Ruby RB RT RP Warichu WT WP Figure Formula Form',
  ].flatMap((names) => names.split(' ')),
);

/** The types of PDF 2.0 that Chromium writes, as the nearest ones of PDF 1.7. */
const NEAREST: Readonly<Record<string, string>> = {
  Aside: 'Sect',
  DocumentFragment: 'Div',
  Em: 'Span',
  FENote: 'Note',
  Strong: 'Span',
  Sub: 'Span',
  Title: 'P',
};

/**
 * Maps the types that PDF 1.7 does not have to those that it has, removes languages that are none, and gives
 * notes the identifiers that they need (ISO 14289-1 §7.1, §7.2 and §7.9).
 */
export function repairRoles(pdf: PDFDocument, tree: StructureTree): void {
  const mapped: Record<string, string> = {};
  let notes = 0;
  for (const { dict, role } of tree.elements) {
    if (!STANDARD.has(role)) mapped[role] = NEAREST[role] ?? 'NonStruct';
    const language = getText(dict.lookup(PDFName.of('Lang')));
    if (language !== null && !LANGUAGE_TAG.test(language)) dict.delete(PDFName.of('Lang'));
    if (role === 'Note' && !dict.has(PDFName.of('ID')))
      dict.set(PDFName.of('ID'), PDFString.of(`note${(notes += 1)}`));
  }
  if (Object.keys(mapped).length > 0) tree.root.set(PDFName.of('RoleMap'), pdf.context.obj(mapped));
}

const ATTRIBUTES = PDFName.of('A');
const ROW_SPAN = PDFName.of('RowSpan');
const COLUMN_SPAN = PDFName.of('ColSpan');
const GROUPS = new Set(['THead', 'TBody', 'TFoot']);

/**
 * Gives all rows of a table the same number of columns (ISO 14289-1 §7.2): ends cells with their rows, as
 * browsers do, and fills short rows with one empty cell.
 */
export function repairTables(tree: StructureTree): void {
  for (const element of tree.elements) if (element.role === 'Table') fillRows(tree, element);
}

interface Row {
  element: Element;
  columns: number;
}

function fillRows(tree: StructureTree, table: Element): void {
  const bodies = getChildren(table).filter(({ role }) => GROUPS.has(role));
  const rows = [table, ...bodies].flatMap((group) =>
    countColumns(getChildren(group).filter(({ role }) => role === 'TR')),
  );
  const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
  for (const { element, columns: own } of rows) {
    if (own === columns) continue;
    const cell = tree.create('TD', []);
    cell.dict.set(ATTRIBUTES, cell.dict.context.obj([{ O: 'Table', ColSpan: columns - own }]));
    tree.setContent(element, [...element.content, cell]);
  }
}

/** Counts the columns of rows, with the cells of earlier rows that span them. */
function countColumns(rows: readonly Element[]): Row[] {
  /** For each row, how many more of its columns than of the row before are of cells above. */
  const changes = Array.from({ length: rows.length + 1 }, () => 0);
  let spanned = 0;
  return rows.map((element, index) => {
    spanned += changes[index] ?? 0;
    let columns = spanned;
    for (const cell of getChildren(element)) {
      const span = getSpan(cell.dict, COLUMN_SPAN);
      const height = limitRowSpan(cell.dict, rows.length - index);
      columns += span;
      if (height < 2) continue;
      changes[index + 1] = (changes[index + 1] ?? 0) + span;
      changes[index + height] = (changes[index + height] ?? 0) - span;
    }
    return { element, columns };
  });
}

/** Returns the rows of a cell, which it makes at most `max`. */
function limitRowSpan(cell: PDFDict, max: number): number {
  const height = getSpan(cell, ROW_SPAN);
  if (height > max) findAttributes(cell, ROW_SPAN)?.set(ROW_SPAN, PDFNumber.of(max));
  return Math.min(height, max);
}

function getSpan(cell: PDFDict, name: PDFName): number {
  const span = findAttributes(cell, name)?.lookup(name);
  return span instanceof PDFNumber ? Math.max(1, span.asNumber()) : 1;
}

/** Finds the attributes of an element that have this name. */
function findAttributes(cell: PDFDict, name: PDFName): PDFDict | undefined {
  return listItems(cell, ATTRIBUTES)
    .map((each) => cell.context.lookup(each))
    .find((each) => each instanceof PDFDict && each.has(name)) as PDFDict | undefined;
}
