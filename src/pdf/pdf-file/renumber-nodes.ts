const OPEN = '(node';
const DIGITS = 8;
/** The rest of a key and the blank after it, if the string is the value of another key, such as a title. */
const OTHER_KEY = /\/(?!ID )\w+ $/;
const KEY_LENGTH = 20;

/**
 * Renumbers, from 1, the identifiers of table headers in a tagged PDF by Chromium (ISO 32000-1 §14.7.2). It
 * counts the nodes of all documents that its process has rendered. Their order stays, as a name tree
 * requires.
 */
export function renumberNodes(pdf: Buffer): void {
  const places: number[] = [];
  const numbers: number[] = [];
  for (let at = pdf.indexOf(OPEN); at >= 0; at = pdf.indexOf(OPEN, at + 1)) {
    const number = parseDigits(pdf, at + OPEN.length);
    if (number === null || hasOtherKey(pdf, at)) continue;
    places.push(at + OPEN.length);
    numbers.push(number);
  }
  const ranks = new Map(
    [...new Set(numbers)].sort((one, other) => one - other).map((one, at) => [one, at + 1]),
  );
  for (const [index, at] of places.entries()) writeDigits(pdf, at, ranks.get(numbers[index] ?? 0) ?? 0);
}

/** Returns the number of an identifier; null if the string is none. */
function parseDigits(pdf: Buffer, from: number): number | null {
  let number = 0;
  for (let at = from; at < from + DIGITS; at += 1) {
    const digit = (pdf[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return pdf[from + DIGITS] === 0x29 ? number : null;
}

function hasOtherKey(pdf: Buffer, at: number): boolean {
  // In an array, a string follows a bracket, a line break or another string.
  if (pdf[at - 1] !== 0x20 || pdf[at - 2] === 0x29) return false;
  return OTHER_KEY.test(pdf.toString('latin1', Math.max(0, at - KEY_LENGTH), at));
}

function writeDigits(pdf: Buffer, from: number, value: number): void {
  let left = value;
  for (let at = from + DIGITS - 1; at >= from; at -= 1) {
    pdf[at] = 0x30 + (left % 10);
    left = Math.floor(left / 10);
  }
}
