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
