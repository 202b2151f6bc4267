/** Formats rows as CSV (RFC 4180). */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

/**
 * A spreadsheet treats a cell that begins with one of these as a formula. A quote mark before it makes it
 * text (OWASP, CSV injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

function toCell(text: string): string {
  const plain = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
