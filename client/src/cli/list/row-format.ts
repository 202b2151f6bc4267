/** The rows of the output: the cells of the list and of the results, as CSV or as NDJSON. */
import { toPlainJson } from '../plain-text.ts';
import type { ListRow } from './list-input.ts';
import type { Table } from './find-column.ts';
import { NO_DELIMITER, splitFields } from './split-records.ts';

/** The results of an operation as cells. */
export interface ResultCells<Result> {
  /** The member of a row with the value of the list. */
  member: string;
  columns: readonly string[];
  /** Formats a result as the cells of `columns`. The first one is its outcome. */
  format: (result: Result) => readonly string[];
}

/** A format of rows. A row starts with its prefix, which depends on the list only. */
export interface RowFormat<Result> {
  /** The first line; null without one. */
  header: string | null;
  /** Splits the records of a stored output. */
  delimiter: string;
  formatPrefix(row: ListRow): string;
  /** Formats a row without its line end; null is the result of an empty value. */
  format(row: ListRow, result: Result | null): string;
  /** Parses the outcome of a stored row; '' for an empty value. */
  parseOutcome(record: string): string;
}

export function createCsvFormat<Result>(table: Table, results: ResultCells<Result>): RowFormat<Result> {
  const delimiter = table.delimiter === NO_DELIMITER ? ',' : table.delimiter;
  const width = table.header.length;
  const join = (cells: readonly string[]): string =>
    cells.map((cell) => formatCell(cell, delimiter)).join(delimiter);
  const columns = results.columns.map((name) => (table.header.includes(name) ? `result_${name}` : name));
  const formatPrefix = ({ cells }: ListRow): string => `${join(cells)}${delimiter}`;
  const blank = results.columns.map(() => '');
  return {
    header: join([...table.header, ...columns]),
    delimiter,
    formatPrefix,
    format: (row, result) => `${formatPrefix(row)}${join(result === null ? blank : results.format(result))}`,
    parseOutcome: (record) => splitFields(record, delimiter)[width] ?? '',
  };
}

export function createNdjsonFormat<Result>(results: ResultCells<Result>): RowFormat<Result> {
  const formatPrefix = ({ line }: ListRow): string => `{"line":${line},`;
  return {
    header: null,
    delimiter: NO_DELIMITER,
    formatPrefix,
    format: (row, result) => {
      const members = result ?? { [results.member]: row.value, empty: true };
      return formatPrefix(row) + toPlainJson(members).slice(1);
    },
    parseOutcome: (record) => {
      const members = JSON.parse(record) as { empty?: boolean };
      return members.empty ? '' : (results.format(members as Result)[0] ?? '');
    },
  };
}

/**
 * Formats a cell. One that a spreadsheet would take for a formula gets an apostrophe before it: lists and
 * pages come from strangers. A cell without letters, such as a phone number, can call no function.
 */
function formatCell(text: string, delimiter: string): string {
  const isFormula = /^\s*[=+\-@\t\r＝＋－＠]/.test(text) && /[^\d\s+\-().,/]/.test(text);
  const cell = isFormula ? `'${text}` : text;
  const hasSpecial = cell.includes(delimiter) || /["\r\n]|^\s|\s$|^\ufeff/.test(cell);
  return hasSpecial ? `"${cell.replaceAll('"', '""')}"` : cell;
}
