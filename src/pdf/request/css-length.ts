/** CSS pixels (1/96 in) in each absolute unit of CSS Values 4 §6.2. */
const PIXELS: Record<string, number> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
};

/** 1 mm in CSS pixels. */
export const PIXELS_PER_MM = 96 / 25.4;

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
