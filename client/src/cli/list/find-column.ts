/** Finds the form of a list by its first records: the delimiter, the header, and the column to read. */
import { CliError, EXIT } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';
import { NO_DELIMITER, RecordSplitter, splitFields } from './split-records.ts';

/** The values of a list and the names that their column usually has. */
export interface ColumnKind {
  /** A value with its article, and several. */
  noun: string;
  plural: string;
  /** The name of the column in the output of a list without a header. */
  column: string;
  names: RegExp;
  looksLike: RegExp;
}

export interface ColumnOptions {
  /** The name of a column, or its number from 1. */
  column: string | undefined;
  delimiter: string | undefined;
  hasNoHeader: boolean;
}

/** The form of a list. */
export interface Table {
  delimiter: string;
  /** The names of the columns; a list without a header gets made-up ones. */
  header: readonly string[];
  hasHeader: boolean;
  /** The place of the column to read, from 0. */
  column: number;
}

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_SAMPLED = 50;
/** The part of the sampled records that has the same number of fields in a table. */
const MIN_REGULAR = 0.8;

/** Finds the form of the list that starts with `sample`. Throws CliError if the column is not clear. */
export function findTable(sample: Uint8Array, kind: ColumnKind, options: ColumnOptions): Table {
  const delimiter = options.delimiter ?? findDelimiter(sample, kind);
  const records = sampleRecords(sample, delimiter);
  const [first = ['']] = records;
  const { column, hasHeader } = findColumn(records, kind, options);
  const header = hasHeader
    ? first.map((name) => name.trim())
    : first.map((_, index) => (index === column ? kind.column : `column_${index + 1}`));
  return { delimiter, header, hasHeader, column };
}

function sampleRecords(sample: Uint8Array, delimiter: string): string[][] {
  const records = new RecordSplitter(delimiter).push(sample).concat();
  const ended = records.length > 0 ? sample.subarray(0, records.at(-1)?.end) : sample;
  const all = records.length > 0 ? records : [{ bytes: ended }];
  return all
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .filter((text) => text.trim() !== '')
    .slice(0, MAX_SAMPLED)
    .map((text) => splitFields(text, delimiter));
}

/** Returns the delimiter of a header, or that most records have equally often; none for plain values. */
function findDelimiter(sample: Uint8Array, kind: ColumnKind): string {
  const [best] = DELIMITERS.map((delimiter) => {
    const records = sampleRecords(sample, delimiter);
    const [first = []] = records;
    if (first.length > 1 && first.some((name) => kind.names.test(name.trim()))) return { delimiter, part: 2 };
    const regular = records.filter(({ length }) => length === first.length).length;
    return { delimiter, part: first.length > 1 ? regular / records.length : 0 };
  }).toSorted((one, other) => other.part - one.part);
  return best && best.part >= MIN_REGULAR ? best.delimiter : NO_DELIMITER;
}

interface Column {
  column: number;
  hasHeader: boolean;
}

function findColumn(records: string[][], kind: ColumnKind, options: ColumnOptions): Column {
  const [first = []] = records;
  const { column: wanted, hasNoHeader } = options;
  if (wanted !== undefined && !/^[1-9]\d{0,3}$/.test(wanted)) return findNamed(first, wanted, hasNoHeader);
  if (wanted !== undefined)
    return {
      column: checkNumber(Number(wanted), first),
      hasHeader: hasHeader(records, Number(wanted) - 1, kind, hasNoHeader),
    };
  const named = hasNoHeader ? -1 : first.findIndex((name) => kind.names.test(name.trim()));
  if (named >= 0) return { column: named, hasHeader: true };
  const column = findByValues(records, kind);
  return { column, hasHeader: hasHeader(records, column, kind, hasNoHeader) };
}

function findNamed(first: string[], wanted: string, hasNoHeader: boolean): Column {
  const normalize = (name: string): string => name.trim().toLowerCase();
  const column = first.findIndex((name) => normalize(name) === normalize(wanted));
  if (column >= 0 && !hasNoHeader) return { column, hasHeader: true };
  throw new CliError(
    EXIT.usage,
    hasNoHeader
      ? '--no-header needs the number of a column: --column 1 is the first.'
      : `The list has no column ${toPlainText(wanted)}, but ${listNames(first)}.`,
  );
}

function checkNumber(number: number, first: string[]): number {
  if (number <= first.length) return number - 1;
  throw new CliError(
    EXIT.usage,
    `The list has ${first.length} columns: --column ${number} is not one of them.`,
  );
}

/** True if the first record is a header: its value looks unlike those after it. */
function hasHeader(records: string[][], column: number, kind: ColumnKind, hasNoHeader: boolean): boolean {
  const values = records.map((record) => record[column]?.trim() ?? '');
  if (hasNoHeader) return false;
  if (kind.names.test(values[0] ?? '')) return true;
  // One malformed address above others must not be lost as a header.
  const isTable = (records[0]?.length ?? 0) > 1;
  return isTable && !kind.looksLike.test(values[0] ?? '') && kind.looksLike.test(values[1] ?? '');
}

function findByValues(records: string[][], kind: ColumnKind): number {
  const [first = []] = records;
  if (first.length <= 1) return 0;
  const [best] = first
    .map((_, column) => ({
      column,
      count: records.filter((record) => kind.looksLike.test(record[column]?.trim() ?? '')).length,
    }))
    .toSorted((one, other) => other.count - one.count);
  if (best && best.count > 0 && best.count >= (records.length - 1) / 2) return best.column;
  throw new CliError(
    EXIT.usage,
    `No column of the list clearly has ${kind.plural}: name it with --column. The columns are ${listNames(first)}.`,
  );
}

function listNames(names: string[]): string {
  return names
    .slice(0, 20)
    .map((name, index) => `${index + 1} ${toPlainText(name.trim().slice(0, 40)) || '(empty)'}`)
    .join(', ');
}
