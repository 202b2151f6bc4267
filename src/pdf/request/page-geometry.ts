import { PIXELS_PER_MM } from './css-length.ts';

/** The sheets in portrait, in CSS pixels (ISO 216; ANSI/ASME Y14.1). */
export const PAGE_SIZES = {
  A4: { width: 210 * PIXELS_PER_MM, height: 297 * PIXELS_PER_MM },
  Letter: { width: 8.5 * 96, height: 11 * 96 },
  Legal: { width: 8.5 * 96, height: 14 * 96 },
  A3: { width: 297 * PIXELS_PER_MM, height: 420 * PIXELS_PER_MM },
  A5: { width: 148 * PIXELS_PER_MM, height: 210 * PIXELS_PER_MM },
} as const;

export type PageSize = keyof typeof PAGE_SIZES;
export type Orientation = 'portrait' | 'landscape';
export type Side = 'top' | 'bottom' | 'left' | 'right';
export const SIDES: readonly Side[] = ['top', 'bottom', 'left', 'right'];

/** The default margins, in CSS pixels. */
export const DEFAULT_MARGINS: Record<Side, number> = {
  top: 20 * PIXELS_PER_MM,
  bottom: 20 * PIXELS_PER_MM,
  left: 15 * PIXELS_PER_MM,
  right: 15 * PIXELS_PER_MM,
};

const MIN_CONTENT_PIXELS = 10 * PIXELS_PER_MM;
const ROUNDING_PIXELS = 1e-6;

/** Returns the width and height of a sheet in CSS pixels. */
export function getSheet(size: PageSize, orientation: Orientation): { width: number; height: number } {
  const { width, height } = PAGE_SIZES[size];
  return orientation === 'landscape' ? { width: height, height: width } : { width, height };
}

/** Finds the pair of margins that leave less than 10 mm of the sheet between them; null if there is none. */
export function findCrampedSides(
  sheet: { width: number; height: number },
  margins: Record<Side, number>,
): readonly [Side, Side] | null {
  const isCramped = (length: number): boolean => !(length >= MIN_CONTENT_PIXELS - ROUNDING_PIXELS);
  if (isCramped(sheet.height - margins.top - margins.bottom)) return ['top', 'bottom'];
  if (isCramped(sheet.width - margins.left - margins.right)) return ['left', 'right'];
  return null;
}
