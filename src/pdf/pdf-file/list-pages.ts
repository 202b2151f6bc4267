import { findObjectText, parseObjectTable, type ObjectTable } from './object-table.ts';

/** The page tree of a PDF nests its pages in groups. */
const MAX_DEPTH = 16;

/** A page of a PDF: the number of its object, and its dictionary. */
export interface PageObject {
  number: number;
  dictionary: string;
}

/** Yields the pages of a PDF by Chromium in their order (ISO 32000-1 §7.7.3); none of any other file. */
export function* listPages(
  pdf: Buffer,
  table: ObjectTable | null = parseObjectTable(pdf),
): Generator<PageObject, void, undefined> {
  if (table === null) return;
  const root = /\/Pages\s+(\d+)/.exec(findObjectText(pdf, table, table.rootNumber))?.[1];
  if (root !== undefined) yield* listIn(pdf, table, Number(root), MAX_DEPTH);
}

function* listIn(
  pdf: Buffer,
  table: ObjectTable,
  number: number,
  depthLeft: number,
): Generator<PageObject, void, undefined> {
  const dictionary = findObjectText(pdf, table, number);
  const kids = /\/Kids\s*\[([^\]]*)\]/.exec(dictionary)?.[1];
  if (kids === undefined) yield { number, dictionary };
  else if (depthLeft > 0)
    for (const [, kid] of kids.matchAll(/(\d+)\s+0\s+R/g))
      yield* listIn(pdf, table, Number(kid), depthLeft - 1);
}
