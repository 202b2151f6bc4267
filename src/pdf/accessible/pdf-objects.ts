import { ObjectBodies } from './object-bodies.ts';

/**
 * The objects of a PDF as Chromium writes it: one classic cross-reference table, no updates, no object
 * streams.
 */
export interface PdfObjects {
  /** The source between `n 0 obj` and `endobj`, by number. */
  bodies: ObjectBodies;
  rootNumber: number;
  infoNumber: number;
  /** One more than the highest number. */
  size: number;
}

const ENTRY_BYTES = 20;

/** Parses a PDF into its objects; null if it is of another kind. */
export function parsePdfObjects(pdf: Buffer): PdfObjects | null {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 1024));
  const [start, root, info] = [/startxref\s+(\d+)/, /\/Root (\d+) 0 R/, /\/Info (\d+) 0 R/].map((pattern) =>
    Number(pattern.exec(tail)?.[1]),
  );
  if (start === undefined || !root || !info) return null;
  const head = /^xref\s+0 (\d+)\s*\n/.exec(pdf.toString('latin1', start, start + 40));
  if (!head) return null;
  const size = Number(head[1]);
  const table = pdf.subarray(start + head[0].length);
  // The file must be large enough for the entries, before memory is allocated for them.
  if (size * ENTRY_BYTES > table.length) return null;
  const bodies = parseBodies(pdf, { table, size, start });
  return bodies && { bodies, rootNumber: root, infoNumber: info, size };
}

/** Parses the table and returns the bodies in the order of the file; null if an entry is wrong. */
function parseBodies(
  pdf: Buffer,
  { table, size, start }: { table: Buffer; size: number; start: number },
): ObjectBodies | null {
  const offsets = new Float64Array(size);
  const numbers: Uint32Array = new Uint32Array(size).map((_, number) => number);
  const inUse = numbers.filter((number) => number > 0 && table[number * ENTRY_BYTES + 17] === 0x6e);
  for (const number of inUse) {
    const entry = number * ENTRY_BYTES;
    offsets[number] = Number(table.toString('latin1', entry, entry + 10));
  }
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

function findBody(
  pdf: Buffer,
  number: number,
  from: number,
  to: number,
): { from: number; to: number } | null {
  const head = `${number} 0 obj\n`;
  const end = pdf.lastIndexOf('endobj', to, 'latin1');
  if (pdf.toString('latin1', from, from + head.length) !== head || end < from) return null;
  return { from: from + head.length, to: end };
}

/**
 * Parses the text string (ISO 32000-1 §7.9.2.2) after a key: UTF-16 in hexadecimal, or literal. Null if there
 * is none.
 */
export function parseTextString(dictionary: string, key: string): string | null {
  const [, hex, literal] =
    new RegExp(`/${key} (?:<([0-9A-Fa-f]*)>|\\(((?:[^\\\\()]|\\\\[\\s\\S])*)\\))`).exec(dictionary) ?? [];
  if (hex !== undefined) return Buffer.from(hex.slice(4), 'hex').swap16().toString('utf16le');
  return (
    literal?.replace(/\\([0-7]{3}|[\s\S])/g, (_all, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
    ) ?? null
  );
}
