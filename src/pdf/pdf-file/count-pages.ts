import { findObjectText, parseObjectTable } from './object-table.ts';

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
