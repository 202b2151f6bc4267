/** The counter styles in which a page number can be shown (CSS Counter Styles Level 3 §6), by name. */
const FORMATS: ReadonlyMap<string, (page: number) => string> = new Map([
  ['decimal', String],
  ['decimal-leading-zero', (page) => String(page).padStart(2, '0')],
  ['lower-roman', (page) => formatRoman(page).toLowerCase()],
  ['upper-roman', formatRoman],
  ['lower-alpha', (page) => formatLetters(page).toLowerCase()],
  ['lower-latin', (page) => formatLetters(page).toLowerCase()],
  ['upper-alpha', formatLetters],
  ['upper-latin', formatLetters],
]);

/** The counter style of a number that names none, or one that is not known. */
export const DEFAULT_STYLE = 'decimal';

const ROMAN: readonly (readonly [value: number, digits: string])[] = [
  [1_000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
const MAX_ROMAN = 3_999;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns the counter style of this name; the default one if there is none. */
export function toCounterStyle(name: string): string {
  const style = name.toLowerCase();
  return FORMATS.has(style) ? style : DEFAULT_STYLE;
}

/** Returns the custom property that has the page number of a link in this style. */
export function toNumberProperty(style: string): string {
  return style === DEFAULT_STYLE ? '--page-number' : `--page-number-${style}`;
}

/** Formats a page number. */
export function formatPageNumber(page: number, style: string): string {
  return (FORMATS.get(style) ?? String)(page);
}

function formatRoman(page: number): string {
  if (page > MAX_ROMAN) return String(page);
  let text = '';
  let left = page;
  for (const [value, digits] of ROMAN) for (; left >= value; left -= value) text += digits;
  return text;
}

/** Formats 1 as A, 26 as Z and 27 as AA. */
function formatLetters(page: number): string {
  let text = '';
  for (let left = page; left > 0; left = Math.floor((left - 1) / LETTERS.length))
    text = (LETTERS[(left - 1) % LETTERS.length] ?? '') + text;
  return text;
}
