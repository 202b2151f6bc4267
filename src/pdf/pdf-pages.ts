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

/** Finds the text of a small object by the one section of the table, whose entries are 20 bytes each. */
function findObject(pdf: Buffer, tableStart: number, number: number): string | null {
  const head = /^xref\s+0\s+\d+\s*\n/.exec(pdf.toString('latin1', tableStart, tableStart + 64))?.[0];
  if (head === undefined) return null;
  const entry = tableStart + head.length + number * 20;
  const offset = Number(pdf.toString('latin1', entry, entry + 10));
  const end = pdf.indexOf('endobj', offset, 'latin1');
  return end < 0 ? null : pdf.toString('latin1', offset, end);
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
