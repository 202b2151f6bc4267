import { findObjectText, parseObjectTable } from './object-table.ts';
import { parseTextString } from './text-string.ts';

/** Finds the title of a PDF by Chromium: that of its document. Null if it has none. */
export function findTitle(pdf: Buffer): string | null {
  const table = parseObjectTable(pdf);
  return table === null ? null : parseTextString(findObjectText(pdf, table, table.infoNumber), 'Title');
}
