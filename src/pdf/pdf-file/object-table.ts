/**
 * The trailer and the cross-reference table of a PDF as Chromium writes it (ISO 32000-1 §7.5.4): one classic
 * table with one section.
 */
export interface ObjectTable {
  pdf: Buffer;
  /** The offset of the table. */
  start: number;
  /** The offset of its first entry. */
  entriesStart: number;
  /** The number of entries: one more than the highest number of an object. */
  size: number;
  rootNumber: number;
  infoNumber: number;
}

/** Each entry has 20 bytes, and begins with the offset of the object in 10 digits. */
const ENTRY_BYTES = 20;
const OFFSET_BYTES = 10;

/** Longer than the trailer and the end of the file. */
const TAIL_BYTES = 1_024;
const MAX_HEAD_BYTES = 40;

/** Parses the trailer and finds the table. Returns null if the PDF is not written that way. */
export function parseObjectTable(pdf: Buffer): ObjectTable | null {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - TAIL_BYTES));
  const start = /startxref\s+(\d+)/.exec(tail)?.[1];
  const root = /\/Root (\d+) 0 R/.exec(tail)?.[1];
  const info = /\/Info (\d+) 0 R/.exec(tail)?.[1];
  if (start === undefined || root === undefined || info === undefined) return null;
  const from = Number(start);
  const head = /^xref\s+0 (\d+)\s*\n/.exec(pdf.toString('latin1', from, from + MAX_HEAD_BYTES));
  if (!head) return null;
  const entriesStart = from + head[0].length;
  const size = Number(head[1]);
  // The file must be large enough for the entries, before memory is allocated for them.
  if (size * ENTRY_BYTES > pdf.length - entriesStart) return null;
  return { pdf, start: from, entriesStart, size, rootNumber: Number(root), infoNumber: Number(info) };
}

/** A range of a file's bytes. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Finds the source of an object between `n 0 obj` and `endobj`; null if it is not where the table says. */
export function findObjectBody(table: ObjectTable, number: number): ByteRange | null {
  const { pdf, entriesStart, size } = table;
  if (number >= size) return null;
  const entry = entriesStart + number * ENTRY_BYTES;
  const start = Number(pdf.toString('latin1', entry, entry + OFFSET_BYTES));
  const head = `${number} 0 obj\n`;
  if (pdf.toString('latin1', start, start + head.length) !== head) return null;
  // Without the line feed, a title could contain it.
  const end = pdf.indexOf('\nendobj', start, 'latin1');
  return end < 0 ? null : { from: start + head.length, to: end + 1 };
}

/** Returns the source of an object as text; empty if it is not where the table says. */
export function findObjectText(table: ObjectTable, number: number): string {
  const body = findObjectBody(table, number);
  return body === null ? '' : table.pdf.toString('latin1', body.from, body.to);
}

/** A page of a PDF: the number of its object, and its dictionary. */
interface PageObject {
  number: number;
  dictionary: string;
}

/** Yields the pages of a PDF by Chromium in their order (ISO 32000-1 §7.7.3). */
export function* scanPages(table: ObjectTable): Generator<PageObject, void, undefined> {
  const waiting = [findPageTree(table)];
  const seen = new Set<number>();
  for (let number = waiting.pop(); number != null; number = waiting.pop()) {
    if (seen.has(number)) continue;
    seen.add(number);
    const dictionary = findObjectText(table, number);
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(dictionary)?.[1];
    if (kids === undefined) yield { number, dictionary };
    else waiting.push(...Array.from(kids.matchAll(/(\d+)\s+0\s+R/g), ([, kid]) => Number(kid)).reverse());
  }
}

/** Finds the number of the root of the page tree. */
function findPageTree(table: ObjectTable): number | null {
  const root = /\/Pages\s+(\d+)\s+0\s+R/.exec(findObjectText(table, table.rootNumber))?.[1];
  return root === undefined ? null : Number(root);
}

/**
 * Parses the number of pages of a PDF by Chromium: trailer → catalog → page tree → /Count. Returns null for
 * any other file.
 */
export function countPages(pdf: Buffer): number | null {
  const table = parseObjectTable(pdf);
  const root = table && findPageTree(table);
  if (table === null || root === null) return null;
  const count = /\/Count\s+(\d+)/.exec(findObjectText(table, root))?.[1];
  return count === undefined ? null : Number(count);
}
