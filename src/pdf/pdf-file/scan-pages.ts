import { type ObjectTable, findObjectText, parseObjectTable } from './object-table.ts';
import { parseTextString } from './update-metadata.ts';

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
  const waiting = [findPageTree(pdf, table)];
  const seen = new Set<number>();
  for (let number = waiting.pop(); number != null; number = waiting.pop()) {
    if (seen.has(number)) continue;
    seen.add(number);
    const dictionary = findObjectText(pdf, table, number);
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(dictionary)?.[1];
    if (kids === undefined) yield { number, dictionary };
    else waiting.push(...Array.from(kids.matchAll(/(\d+)\s+0\s+R/g), ([, kid]) => Number(kid)).reverse());
  }
}

/** Finds the number of the root of the page tree. */
function findPageTree(pdf: Buffer, table: ObjectTable): number | null {
  const root = /\/Pages\s+(\d+)\s+0\s+R/.exec(findObjectText(pdf, table, table.rootNumber))?.[1];
  return root === undefined ? null : Number(root);
}

/**
 * Parses the number of pages of a PDF by Chromium: trailer → catalog → page tree → /Count. Returns null for
 * any other file.
 */
export function countPages(pdf: Buffer): number | null {
  const table = parseObjectTable(pdf);
  const root = table && findPageTree(pdf, table);
  if (table === null || root === null) return null;
  const count = /\/Count\s+(\d+)/.exec(findObjectText(pdf, table, root))?.[1];
  return count === undefined ? null : Number(count);
}

/** Finds the title of a PDF by Chromium, which is its document's. Null if it has none. */
export function findTitle(pdf: Buffer): string | null {
  const table = parseObjectTable(pdf);
  return table === null ? null : parseTextString(findObjectText(pdf, table, table.infoNumber), 'Title');
}
