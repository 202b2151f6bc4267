import { runInSlices } from '#concurrency';

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
