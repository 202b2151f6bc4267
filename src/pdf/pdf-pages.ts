import { runInSlices } from '#event-loop';

/**
 * Parses the number of pages of a PDF with a classic cross-reference table (ISO 32000-1 §7.5.4), as Chromium
 * writes it: trailer → catalog → page tree → /Count. Returns null for any other file.
 */
export function parsePageCount(pdf: Buffer): number | null {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 2048));
  const root = /\/Root\s+(\d+)\s+0\s+R/.exec(tail)?.[1];
  const start = /startxref\s+(\d+)/.exec(tail)?.[1];
  if (root === undefined || start === undefined) return null;
  const catalog = findObject(pdf, Number(start), Number(root));
  const pages = /\/Pages\s+(\d+)\s+0\s+R/.exec(catalog ?? '')?.[1];
  if (pages === undefined) return null;
  const tree = findObject(pdf, Number(start), Number(pages));
  const count = /\/Count\s+(\d+)/.exec(tree ?? '')?.[1];
  return count === undefined ? null : Number(count);
}

/**
 * Overwrites the dates of a PDF by Chromium (ISO 32000-1 §14.3.3), which has the time at which it printed.
 * `epochMs` is milliseconds since 1970; years after 9999 are left as they are.
 */
export function overwriteDates(pdf: Buffer, epochMs: number): void {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 2048));
  const info = /\/Info\s+(\d+)\s+0\s+R/.exec(tail)?.[1];
  const start = /startxref\s+(\d+)/.exec(tail)?.[1];
  const range = info === undefined ? null : findObjectRange(pdf, Number(start), Number(info));
  if (range === null) return;
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);
  const date = `(D:${digits}+00'00')`;
  for (const name of ['/CreationDate ', '/ModDate ']) {
    // The title, which is the document's, comes before the dates.
    const at = pdf.lastIndexOf(name, range.end, 'latin1') + name.length;
    if (at > range.start && /^\(D:\d{14}\+00'00'\)$/.test(pdf.toString('latin1', at, at + date.length)))
      pdf.write(date, at, 'latin1');
  }
}

/** Finds the text of a small object. */
function findObject(pdf: Buffer, tableStart: number, number: number): string | null {
  const range = findObjectRange(pdf, tableStart, number);
  return range === null ? null : pdf.toString('latin1', range.start, range.end);
}

/** Finds an object by the one section of the table, whose entries are 20 bytes each. */
function findObjectRange(
  pdf: Buffer,
  tableStart: number,
  number: number,
): { start: number; end: number } | null {
  const head = /^xref\s+0\s+\d+\s*\n/.exec(pdf.toString('latin1', tableStart, tableStart + 64))?.[0];
  if (head === undefined) return null;
  const entry = tableStart + head.length + number * 20;
  const start = Number(pdf.toString('latin1', entry, entry + 10));
  const end = pdf.indexOf('endobj', start, 'latin1');
  return end < 0 ? null : { start, end };
}

/** The longest side of a sheet that PDF viewers can show, in points (ISO 32000-1, annex C). */
const MAX_SIDE_POINTS = 14_400;

/** A slice that contains only boxes takes 10 ms. */
const SLICE_BYTES = 256 * 1024;
/** A box that begins in a slice may end after it. */
const BOX_BYTES = 64;

/**
 * Checks whether a page of a PDF by Chromium is larger than viewers can show. Yields between slices of a
 * large PDF.
 */
export async function hasGiantPage(pdf: Buffer): Promise<boolean> {
  if (pdf.length <= SLICE_BYTES) return hasGiantBox(pdf);
  let from = 0;
  let isGiant = false;
  await runInSlices(() => {
    isGiant = hasGiantBox(pdf.subarray(from, from + SLICE_BYTES + BOX_BYTES));
    from += SLICE_BYTES;
    return isGiant || from >= pdf.length;
  });
  return isGiant;
}

function hasGiantBox(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/MediaBox'); at >= 0; at = bytes.indexOf('/MediaBox', at + 9)) {
    const [, width, height] =
      /^\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(bytes.toString('latin1', at, at + BOX_BYTES)) ?? [];
    if (Number(width) > MAX_SIDE_POINTS || Number(height) > MAX_SIDE_POINTS) return true;
  }
  return false;
}
