/** The list that a command reads: a file, or a stream such as standard input, which can be read only once. */
import { createHash } from 'node:crypto';
import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { type ColumnKind, type ColumnOptions, findTable, type Table } from './find-column.ts';
import { type RawRecord, RecordSplitter, splitFields } from './split-records.ts';

/** A row of a list that is not blank. */
export interface ListRow {
  /** Its first line in the file, from 1. */
  line: number;
  cells: readonly string[];
  /** The value of the column to read, without outer white space. */
  value: string;
}

/** A list whose form is known. */
export interface ListInput {
  table: Table;
  /** The rows of a file and the SHA-256 of its bytes; null for a stream. */
  survey: { rows: number; sha256: string } | null;
  rows(): AsyncGenerator<ListRow, void>;
}

const SAMPLE_BYTES = 65_536;

/** Opens a list. A file is read once in full before any request: for its hash, its rows and its faults. */
export async function openList(
  path: string,
  { stdin, signal }: Pick<Session, 'stdin' | 'signal'>,
  kind: ColumnKind,
  options: ColumnOptions,
): Promise<ListInput> {
  if (path === '-' || !statSync(path).isFile())
    return openStream(path === '-' ? stdin : createReadStream(path), kind, options);
  const table = findTable(skipMark(readSample(path)), kind, options);
  const hash = createHash('sha256');
  const count = { rows: 0 };
  const bytes = (async function* () {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
  })();
  for await (const _row of readRows(bytes, table)) count.rows += 1;
  return {
    table,
    survey: { rows: count.rows, sha256: hash.digest('hex') },
    rows: () => readRows(createReadStream(path), table),
  };
}

async function openStream(
  stream: AsyncIterable<Uint8Array>,
  kind: ColumnKind,
  options: ColumnOptions,
): Promise<ListInput> {
  const chunks = stream[Symbol.asyncIterator]();
  let sample = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    sample = Buffer.concat([sample, next.value]);
    if (sample.length >= SAMPLE_BYTES) break;
  }
  const all = (async function* () {
    yield sample;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  })();
  const table = findTable(skipMark(sample), kind, options);
  return { table, survey: null, rows: () => readRows(all, table) };
}

function readSample(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const sample = Buffer.alloc(SAMPLE_BYTES);
    return sample.subarray(0, readSync(file, sample));
  } finally {
    closeSync(file);
  }
}

/** Removes the byte order mark of UTF-8. Throws CliError for one of UTF-16. */
function skipMark(sample: Uint8Array): Uint8Array {
  const [first, second, third] = sample;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new CliError(EXIT.usage, 'The list is UTF-16: save it as UTF-8 ("CSV UTF-8" in spreadsheets).');
  return first === 0xef && second === 0xbb && third === 0xbf ? sample.subarray(3) : sample;
}

async function* readRows(chunks: AsyncIterable<Uint8Array>, table: Table): AsyncGenerator<ListRow, void> {
  const splitter = new RecordSplitter(table.delimiter);
  const parser = new RowParser(table);
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes = isFirst ? skipMark(chunk) : chunk;
    isFirst = false;
    for (const record of splitter.push(bytes)) yield* parser.parse(record);
  }
  for (const record of splitter.finish()) yield* parser.parse(record);
}

class RowParser {
  readonly #table: Table;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #isHeader: boolean;

  constructor(table: Table) {
    this.#table = table;
    this.#isHeader = table.hasHeader;
  }

  /** Returns the row of a record; none for a blank line and for the header. */
  parse({ bytes, line }: RawRecord): ListRow[] {
    const text = this.#decode(bytes, line);
    if (text.trim() === '') return [];
    if (this.#isHeader) {
      this.#isHeader = false;
      return [];
    }
    const { delimiter, header, column } = this.#table;
    const cells = splitFields(text, delimiter);
    while (cells.length < header.length) cells.push('');
    if (cells.splice(header.length).some((cell) => cell.trim() !== ''))
      throw new CliError(
        EXIT.usage,
        `Line ${line} has more cells than the first line, which has ${header.length}: quote cells that contain the delimiter.`,
      );
    return [{ line, cells, value: cells[column]?.trim() ?? '' }];
  }

  #decode(bytes: Uint8Array, line: number): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new CliError(EXIT.usage, `Line ${line} is not UTF-8: save the list as UTF-8.`);
    }
  }
}
