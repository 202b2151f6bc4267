import {
  ENTRY_BYTES,
  parseObjectOffset,
  parseObjectTable,
  type ByteRange,
  type ObjectTable,
} from '../pdf-file/object-table.ts';
import { ObjectBodies } from './object-bodies.ts';

/** The objects of a PDF as Chromium writes it: one classic table, no updates, no object streams. */
export interface PdfObjects {
  /** The source between `n 0 obj` and `endobj`, by number. */
  bodies: ObjectBodies;
  rootNumber: number;
  infoNumber: number;
  /** One more than the highest number. */
  size: number;
}

/** Parses a PDF into its objects. Returns null if it is not written that way. */
export function parsePdfObjects(pdf: Buffer): PdfObjects | null {
  const table = parseObjectTable(pdf);
  const bodies = table && parseBodies(pdf, table);
  if (!bodies) return null;
  const { size, rootNumber, infoNumber } = table;
  return { bodies, rootNumber, infoNumber, size };
}

/** Parses the table and returns the bodies in the order of the file; null if an entry is wrong. */
function parseBodies(pdf: Buffer, table: ObjectTable): ObjectBodies | null {
  const { entriesStart, size, start } = table;
  const offsets = new Float64Array(size);
  const numbers: Uint32Array = new Uint32Array(size).map((_, number) => number);
  const inUse = numbers.filter(
    (number) => number > 0 && pdf[entriesStart + number * ENTRY_BYTES + 17] === 0x6e,
  );
  for (const number of inUse) offsets[number] = parseObjectOffset(pdf, table, number);
  inUse.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  const bodies = new ObjectBodies(pdf, inUse.length);
  for (const [index, number] of inUse.entries()) {
    const next = inUse[index + 1];
    const from = offsets[number] ?? 0;
    const place = findBody(pdf, number, from, next === undefined ? start : (offsets[next] ?? 0));
    if (!place) return null;
    bodies.add(number, place);
  }
  return bodies;
}

function findBody(pdf: Buffer, number: number, from: number, to: number): ByteRange | null {
  const head = `${number} 0 obj\n`;
  const end = pdf.lastIndexOf('endobj', to, 'latin1');
  if (pdf.toString('latin1', from, from + head.length) !== head || end < from) return null;
  return { from: from + head.length, to: end };
}
