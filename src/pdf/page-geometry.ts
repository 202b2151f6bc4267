/** CSS lengths, and the sheets and the sides of pages in CSS pixels (1/96 in). */

export const PIXELS_PER_INCH = 96;
export const PIXELS_PER_MM = PIXELS_PER_INCH / 25.4;

/** CSS pixels in each absolute unit of CSS Values 4 §6.2. */
const PIXELS: Record<string, number> = {
  px: 1,
  in: PIXELS_PER_INCH,
  cm: PIXELS_PER_INCH / 2.54,
  mm: PIXELS_PER_MM,
  q: PIXELS_PER_MM / 4,
  pt: PIXELS_PER_INCH / 72,
  pc: PIXELS_PER_INCH / 6,
};

/**
 * Parses an absolute CSS length that is not negative (`20mm`, `.5in`, `0`) to CSS pixels. Returns null for
 * anything else: percentages, relative units, calc(), a number without a unit other than zero.
 */
export function parseCssLength(text: string): number | null {
  const match = /^\+?(\d+(?:\.\d+)?|\.\d+)(e[+-]?\d{1,3})?([a-z]{1,2})?$/i.exec(text.trim());
  if (!match) return null;
  const value = Number(`${match[1]}${match[2] ?? ''}`);
  if (match[3] === undefined) return value === 0 ? 0 : null;
  const unit = PIXELS[match[3].toLowerCase()];
  return unit === undefined || !Number.isFinite(value) ? null : value * unit;
}

export interface Sheet {
  width: number;
  height: number;
}

/** The values of `page_size`. */
export const SIZES = ['A4', 'Letter', 'Legal', 'A3', 'A5'] as const;
export type PageSize = (typeof SIZES)[number];

/** The sheets in portrait (ISO 216; ANSI/ASME Y14.1). */
export const PAGE_SIZES = {
  A4: { width: 210 * PIXELS_PER_MM, height: 297 * PIXELS_PER_MM },
  Letter: { width: 8.5 * PIXELS_PER_INCH, height: 11 * PIXELS_PER_INCH },
  Legal: { width: 8.5 * PIXELS_PER_INCH, height: 14 * PIXELS_PER_INCH },
  A3: { width: 297 * PIXELS_PER_MM, height: 420 * PIXELS_PER_MM },
  A5: { width: 148 * PIXELS_PER_MM, height: 210 * PIXELS_PER_MM },
} as const satisfies Record<PageSize, Sheet>;

export const DEFAULT_SHEET: Sheet = PAGE_SIZES.A4;

/** Turns a sheet: the longer side of a landscape sheet is its width. */
export function orient({ width, height }: Sheet, orientation: 'portrait' | 'landscape'): Sheet {
  const [short, long] = width < height ? [width, height] : [height, width];
  return orientation === 'landscape' ? { width: long, height: short } : { width: short, height: long };
}

export type Side = 'top' | 'bottom' | 'left' | 'right';
export const SIDES: readonly Side[] = ['top', 'bottom', 'left', 'right'];
