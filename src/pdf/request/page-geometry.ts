import { PIXELS_PER_INCH, PIXELS_PER_MM } from './css-length.ts';

/** The width and height of a sheet, in CSS pixels. */
export interface Sheet {
  width: number;
  height: number;
}

/** The sheets in portrait (ISO 216; ANSI/ASME Y14.1). */
export const PAGE_SIZES = {
  A4: { width: 210 * PIXELS_PER_MM, height: 297 * PIXELS_PER_MM },
  Letter: { width: 8.5 * PIXELS_PER_INCH, height: 11 * PIXELS_PER_INCH },
  Legal: { width: 8.5 * PIXELS_PER_INCH, height: 14 * PIXELS_PER_INCH },
  A3: { width: 297 * PIXELS_PER_MM, height: 420 * PIXELS_PER_MM },
  A5: { width: 148 * PIXELS_PER_MM, height: 210 * PIXELS_PER_MM },
} as const satisfies Record<string, Sheet>;

export const DEFAULT_SHEET: Sheet = PAGE_SIZES.A4;

export type PageSize = keyof typeof PAGE_SIZES;
export type Orientation = 'portrait' | 'landscape';
export type Side = 'top' | 'bottom' | 'left' | 'right';
export const SIDES: readonly Side[] = ['top', 'bottom', 'left', 'right'];

const DEFAULT_MARGINS_MM: Record<Side, number> = { top: 20, bottom: 20, left: 15, right: 15 };

/** The default margins, in CSS pixels. */
export const DEFAULT_MARGINS = mapSides((side) => DEFAULT_MARGINS_MM[side] * PIXELS_PER_MM);

/** The default margins as CSS lengths, for messages. */
export const DEFAULT_MARGIN_TEXTS = mapSides((side) => `${DEFAULT_MARGINS_MM[side]}mm`);

/** The sides that a sheet may have. PDF viewers show no sheet longer than 200 in (ISO 32000-1, annex C). */
export const MIN_SIDE_MM = 10;
export const MAX_SIDE_MM = 5_080;

const MIN_CONTENT_PIXELS = 10 * PIXELS_PER_MM;
const ROUNDING_PIXELS = 1e-6;

/** Turns a sheet: the longer side of a landscape sheet is its width. */
export function orient({ width, height }: Sheet, orientation: Orientation): Sheet {
  const [short, long] = width < height ? [width, height] : [height, width];
  return orientation === 'landscape' ? { width: long, height: short } : { width: short, height: long };
}

/** Checks whether a sheet may have a side of this length in CSS pixels. */
export function isSheetSide(length: number): boolean {
  return (
    length >= MIN_SIDE_MM * PIXELS_PER_MM - ROUNDING_PIXELS &&
    length <= MAX_SIDE_MM * PIXELS_PER_MM + ROUNDING_PIXELS
  );
}

/** Finds the pair of margins that leave less than 10 mm of the sheet between them; null if there is none. */
export function findCrampedSides(sheet: Sheet, margins: Record<Side, number>): readonly [Side, Side] | null {
  const isCramped = (length: number): boolean => !(length >= MIN_CONTENT_PIXELS - ROUNDING_PIXELS);
  if (isCramped(sheet.height - margins.top - margins.bottom)) return ['top', 'bottom'];
  if (isCramped(sheet.width - margins.left - margins.right)) return ['left', 'right'];
  return null;
}

function mapSides<T>(map: (side: Side) => T): Record<Side, T> {
  return { top: map('top'), bottom: map('bottom'), left: map('left'), right: map('right') };
}
