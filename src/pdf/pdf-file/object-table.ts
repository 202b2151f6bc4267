/**
 * The trailer and the cross-reference table of a PDF as Chromium writes it (ISO 32000-1 §7.5.4): one classic
 * table with one section.
 */
export interface ObjectTable {
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
  return { start: from, entriesStart, size, rootNumber: Number(root), infoNumber: Number(info) };
}

/** A range of a file's bytes. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Finds the source of an object between `n 0 obj` and `endobj`; null if it is not where the table says. */
export function findObjectBody(pdf: Buffer, table: ObjectTable, number: number): ByteRange | null {
  if (number >= table.size) return null;
  const entry = table.entriesStart + number * ENTRY_BYTES;
  const start = Number(pdf.toString('latin1', entry, entry + OFFSET_BYTES));
  const head = `${number} 0 obj\n`;
  if (pdf.toString('latin1', start, start + head.length) !== head) return null;
  // Without the line feed, a title could contain it.
  const end = pdf.indexOf('\nendobj', start, 'latin1');
  return end < 0 ? null : { from: start + head.length, to: end + 1 };
}

/** Returns the source of an object as text; empty if it is not where the table says. */
export function findObjectText(pdf: Buffer, table: ObjectTable, number: number): string {
  const body = findObjectBody(pdf, table, number);
  return body === null ? '' : pdf.toString('latin1', body.from, body.to);
}
