const OPEN = '(node';
const DIGITS = 8;

/**
 * Renumbers the identifiers of table headers in a tagged PDF by Chromium (ISO 32000-1 §14.7.2), which counts
 * the nodes of all documents that its process has rendered. Their order stays, as a name tree requires. They
 * begin with `first`; returns the number after the last.
 */
export function renumberNodes({ buffer, byteOffset, byteLength }: Uint8Array, first: number): number {
  const pdf = Buffer.from(buffer, byteOffset, byteLength);
  const places: { at: number; id: string }[] = [];
  for (let at = pdf.indexOf(OPEN); at >= 0; at = pdf.indexOf(OPEN, at + 1)) {
    const from = at + OPEN.length;
    const [id] = /^\d{8}(?=\))/.exec(pdf.toString('latin1', from, from + DIGITS + 1)) ?? [];
    if (id !== undefined) places.push({ at: from, id });
  }
  const sorted = [...new Set(places.map(({ id }) => id))].sort();
  const numbers = new Map(sorted.map((id, index) => [id, String(first + index).padStart(DIGITS, '0')]));
  for (const { at, id } of places) pdf.write(numbers.get(id) ?? id, at, 'latin1');
  return first + sorted.length;
}
