import { PDFArray, PDFDict, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import type { Element, StructureTree } from './structure-tree.ts';

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
  const bodies = table.children.filter(({ role }) => GROUPS.has(role));
  const rows = [table, ...bodies].flatMap((group) =>
    countColumns(group.children.filter(({ role }) => role === 'TR')),
  );
  const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
  for (const { element, columns: own } of rows) {
    if (own === columns) continue;
    const cell = tree.create('TD', element, []);
    const { context } = cell.dict;
    cell.dict.set(ATTRIBUTES, context.obj([{ O: 'Table', ColSpan: columns - own }]));
    tree.replaceContent(element, [...tree.getKids(element.dict), cell.ref], [...element.children, cell]);
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
    for (const cell of element.children) {
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
function findAttributes(cell: PDFDict, name: PDFName): PDFDict | null {
  const attributes = cell.lookup(ATTRIBUTES);
  const all = attributes instanceof PDFArray ? attributes.asArray() : [attributes];
  for (const each of all) {
    const dict = cell.context.lookup(each);
    if (dict instanceof PDFDict && dict.has(name)) return dict;
  }
  return null;
}
