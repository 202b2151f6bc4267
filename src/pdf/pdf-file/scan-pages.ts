import { type ObjectTable, findObjectText, parseObjectTable } from './object-table.ts';
import { parseTextString } from './update-metadata.ts';

/** The page tree of a PDF nests its pages in groups. */
const MAX_DEPTH = 16;

/** A page of a PDF: the number of its object, and its dictionary. */
interface PageObject {
  number: number;
  dictionary: string;
}

/** Yields the pages of a PDF by Chromium in their order (ISO 32000-1 §7.7.3); none of any other file. */
export function* scanPages(
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

/**
 * Parses the number of pages of a PDF by Chromium: trailer → catalog → page tree → /Count. Returns null for
 * any other file.
 */
export function countPages(pdf: Buffer): number | null {
  const table = parseObjectTable(pdf);
  if (table === null) return null;
  const catalog = findObjectText(pdf, table, table.rootNumber);
  const pages = /\/Pages\s+(\d+)\s+0\s+R/.exec(catalog)?.[1];
  if (pages === undefined) return null;
  const count = /\/Count\s+(\d+)/.exec(findObjectText(pdf, table, Number(pages)))?.[1];
  return count === undefined ? null : Number(count);
}

/** Finds the title of a PDF by Chromium, which is its document's. Null if it has none. */
export function findTitle(pdf: Buffer): string | null {
  const table = parseObjectTable(pdf);
  return table === null ? null : parseTextString(findObjectText(pdf, table, table.infoNumber), 'Title');
}
