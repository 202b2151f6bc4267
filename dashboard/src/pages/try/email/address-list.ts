/** A list of addresses: the rows of a CSV file, or pasted lines, and the column with the addresses. */
import { findDelimiter, parseCsv } from './parse-csv.ts';

export const MAX_ROWS = 50_000;
export const MAX_FILE_BYTES = 20_000_000;

/** A parsed list. `header` names the columns. */
export interface AddressList {
  name: string;
  header: string[];
  /** False if the file has no header; its columns are then numbered. */
  hasHeader: boolean;
  rows: string[][];
  /** The column with the most addresses. */
  bestColumn: number;
  /** True if the file has more rows than are checked. */
  isCut: boolean;
}

/** Parses a list. Throws an Error whose message can be shown if it has no address. */
export function parseList(name: string, text: string): AddressList {
  const plain = text.replace(/^\uFEFF/, '');
  const rows = parseCsv(plain, findDelimiter(plain), MAX_ROWS + 2);
  const columns = Math.max(0, ...rows.slice(0, 1000).map((row) => row.length));
  const counts = Array.from(
    { length: columns },
    (_, column) => rows.slice(0, 1000).filter((row) => isLikeAddress(row[column])).length,
  );
  const bestColumn = counts.indexOf(Math.max(...counts));
  if (bestColumn < 0 || counts[bestColumn] === 0)
    throw new Error(`${name} has no column with email addresses.`);
  const hasHeader = !isLikeAddress(rows[0]?.[bestColumn]) && rows.length > 1;
  const body = hasHeader ? rows.slice(1) : rows;
  return {
    name,
    header: Array.from(
      { length: columns },
      (_, column) => (hasHeader && rows[0]?.[column]) || `Column ${column + 1}`,
    ),
    hasHeader,
    rows: body.slice(0, MAX_ROWS),
    bestColumn,
    isCut: body.length > MAX_ROWS,
  };
}

/** Returns the different addresses of a column, in order. */
export function listAddresses({ rows }: AddressList, column: number): string[] {
  return [...new Set(rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== ''))];
}

/**
 * Decodes a file: UTF-8, or Windows-1252 as spreadsheets export it. Throws an Error whose message can be
 * shown if the file is too large.
 */
export async function readListFile(file: File): Promise<AddressList> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(`${file.name} is larger than ${MAX_FILE_BYTES / 1e6} MB: split it.`);
  const bytes = await file.arrayBuffer();
  try {
    return parseList(file.name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return parseList(file.name, new TextDecoder('windows-1252').decode(bytes));
  }
}

function isLikeAddress(cell: string | undefined): boolean {
  return cell?.includes('@') ?? false;
}
