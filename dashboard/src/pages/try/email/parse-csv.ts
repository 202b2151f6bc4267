/** Parses CSV (RFC 4180) with commas, semicolons or tabs. */

const DELIMITERS = [',', ';', '\t'] as const;
const SAMPLE_CHARACTERS = 10_000;

/** Returns the delimiter that is most frequent in the start of the text; a comma if there is none. */
export function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const counts = DELIMITERS.map((delimiter) => sample.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Returns the rows, at most `maxRows`, without rows that have no text. A quote that is not closed ends with
 * the text.
 */
export function parseCsv(text: string, delimiter: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  };
  while (at < text.length && rows.length < maxRows) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, delimiter);
    row.push(cell);
    at = end;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      row.push('');
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    endRow();
  }
  return rows;
}

function readPlain(text: string, start: number, delimiter: string): { cell: string; end: number } {
  let end = start;
  for (; end < text.length; end += 1) {
    const character = text[end];
    if (character === delimiter || character === '\n' || character === '\r') break;
  }
  return { cell: text.slice(start, end).trim(), end };
}

/** Reads a quoted cell. Text between its closing quote and the delimiter is malformed, and kept. */
function readQuoted(text: string, start: number): { cell: string; end: number } {
  let cell = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { cell: cell + text.slice(from), end: text.length };
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    from = quote + 2;
  }
}
