import { listPages } from './list-pages.ts';
import { findObjectText, parseObjectTable } from './object-table.ts';

/**
 * An entry of the names that links refer to (ISO 32000-1 §12.3.2.3), with its page:
 * `/chapter#201 [3 0 R /XYZ 6 829.9 0]`.
 */
const DESTINATION = /\/([^\s/<>[\]()]+)\s*\[(\d+) 0 R/g;

/**
 * Finds the targets of the links in a PDF by Chromium: the fragments of their URLs, with the indexes of their
 * pages. Only elements that a link refers to are among them.
 */
export function findDestinations(pdf: Buffer): Map<string, number> {
  const found = new Map<string, number>();
  const table = parseObjectTable(pdf);
  if (table === null) return found;
  const names = /\/Dests (\d+) 0 R/.exec(findObjectText(pdf, table, table.rootNumber))?.[1];
  if (names === undefined) return found;
  const indexes = new Map<number, number>();
  for (const { number } of listPages(pdf, table)) indexes.set(number, indexes.size);
  for (const [, name = '', page] of findObjectText(pdf, table, Number(names)).matchAll(DESTINATION)) {
    const index = indexes.get(Number(page));
    if (index !== undefined) found.set(decodeName(name), index);
  }
  return found;
}

/** Decodes a name (ISO 32000-1 §7.3.5). A fragment has only ASCII characters. */
function decodeName(name: string): string {
  return name.replace(/#([\dA-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
