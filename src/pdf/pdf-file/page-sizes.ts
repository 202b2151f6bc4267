import { listPages } from './list-pages.ts';

const POINTS_PER_PIXEL = 72 / 96;
const MEDIA_BOX = /\/MediaBox \[(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\]/;

/** The size of a page in CSS pixels. */
export interface PageSizePixels {
  width: number;
  height: number;
}

/** Lists the sizes of the pages of a PDF by Chromium (ISO 32000-1 §14.11.2), in their order. */
export function listPageSizes(pdf: Buffer): PageSizePixels[] {
  return Array.from(listPages(pdf), ({ dictionary }) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = (MEDIA_BOX.exec(dictionary) ?? [])
      .slice(1)
      .map(Number);
    return { width: (right - left) / POINTS_PER_PIXEL, height: (top - bottom) / POINTS_PER_PIXEL };
  });
}
