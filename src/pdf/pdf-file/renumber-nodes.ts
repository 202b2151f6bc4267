const OPEN = '(node';
const NODE = /^\(node(\d{8})\)$/;
const NODE_LENGTH = '(node00000000)'.length;
/** A string that is the value of another key than ID, such as a title. */
const OTHER_KEY = /\/(?!ID )\w+ $/;

/**
 * Renumbers, from 1, the identifiers of table headers in a tagged PDF by Chromium (ISO 32000-1 §14.7.2). It
 * counts the nodes of all documents that its process has rendered. Their order stays, as a name tree
 * requires.
 */
export function renumberNodes(pdf: Buffer): void {
  const places: { at: number; number: number }[] = [];
  for (let at = pdf.indexOf(OPEN); at >= 0; at = pdf.indexOf(OPEN, at + 1)) {
    const digits = NODE.exec(pdf.toString('latin1', at, at + NODE_LENGTH))?.[1];
    if (digits === undefined || OTHER_KEY.test(pdf.toString('latin1', at - 20, at))) continue;
    places.push({ at, number: Number(digits) });
  }
  const numbers = [...new Set(places.map(({ number }) => number))].sort((one, other) => one - other);
  const ranks = new Map(numbers.map((number, index) => [number, index + 1]));
  for (const { at, number } of places)
    pdf.write(String(ranks.get(number)).padStart(8, '0'), at + OPEN.length, 'latin1');
}
