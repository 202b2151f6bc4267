/** The objects of a PDF as Chromium writes it: one classic cross-reference table, no updates, no object streams. */
export interface PdfObjects {
  /** From number to the source between `n 0 obj` and `endobj`. */
  bodies: Map<number, Buffer>;
  rootNumber: number;
  infoNumber: number;
  /** One more than the highest number. */
  size: number;
}

const ENTRY_BYTES = 20;

/** Cuts a PDF into its objects. Null where it is not of that kind. */
export function readPdfObjects(pdf: Buffer): PdfObjects | null {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 1024));
  const [start, root, info] = [/startxref\s+(\d+)/, /\/Root (\d+) 0 R/, /\/Info (\d+) 0 R/].map((pattern) =>
    Number(pattern.exec(tail)?.[1]),
  );
  if (start === undefined || !root || !info) return null;
  const head = /^xref\s+0 (\d+)\s*\n/.exec(pdf.toString('latin1', start, start + 40));
  if (!head) return null;
  const offsets: [number: number, offset: number][] = [];
  for (let number = 1; number < Number(head[1]); number += 1) {
    const entry = start + head[0].length + number * ENTRY_BYTES;
    if (pdf[entry + 17] === 0x6e) offsets.push([number, Number(pdf.toString('latin1', entry, entry + 10))]);
  }
  offsets.sort((a, b) => a[1] - b[1]);
  const bodies = new Map<number, Buffer>();
  for (const [index, [number, offset]] of offsets.entries()) {
    const body = readBody(pdf, number, offset, offsets[index + 1]?.[1] ?? start);
    if (!body) return null;
    bodies.set(number, body);
  }
  return { bodies, rootNumber: root, infoNumber: info, size: Number(head[1]) };
}

function readBody(pdf: Buffer, number: number, from: number, to: number): Buffer | null {
  const head = `${number} 0 obj\n`;
  const end = pdf.lastIndexOf('endobj', to, 'latin1');
  if (pdf.toString('latin1', from, from + head.length) !== head || end < from) return null;
  return pdf.subarray(from + head.length, end);
}

/** Reads a text string (ISO 32000-1 §7.9.2.2) that follows a key: UTF-16 in hexadecimal, or literal. */
export function readTextString(dictionary: string, key: string): string | null {
  const [, hex, literal] =
    new RegExp(`/${key} (?:<([0-9A-Fa-f]*)>|\\(((?:[^\\\\()]|\\\\[\\s\\S])*)\\))`).exec(dictionary) ?? [];
  if (hex !== undefined) return Buffer.from(hex.slice(4), 'hex').swap16().toString('utf16le');
  return (
    literal?.replace(/\\([0-7]{3}|[\s\S])/g, (_all, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
    ) ?? null
  );
}
