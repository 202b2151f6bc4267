/**
 * Splits the bytes of a table into records and a record into fields (RFC 4180). A quote opens a quoted field
 * only at the start of a field, so that a stray one, as in `5" pipe`, swallows no lines.
 */
import { CliError, EXIT } from '../exit-codes.ts';

/** A record without its line end. */
export interface RawRecord {
  bytes: Uint8Array;
  /** Its first line, from 1. */
  line: number;
  /** The bytes of the file up to the end of its line end. */
  end: number;
  /** False for the last record of a file that ends without a line end. */
  isEnded: boolean;
}

/** The delimiter of a list with one value per line, in which a comma is a character like any other. */
export const NO_DELIMITER = '';

const MAX_RECORD_BYTES = 1 << 20;
const [LF, CR, QUOTE] = [10, 13, 34];
/** The states of the machine: at the start of a field, in one, within quotes, after a quote within quotes. */
const [START, PLAIN, QUOTED, CLOSED] = [0, 1, 2, 3];

/** Splits the chunks of one file. */
export class RecordSplitter {
  readonly #delimiter: number;
  #state = START;
  #rest = Buffer.alloc(0);
  #end: number;
  #line = 1;
  #firstLine = 1;
  #isAfterCr = false;

  /** `offset` is the number of bytes before the first chunk. */
  constructor(delimiter: string, offset = 0) {
    this.#delimiter = delimiter === NO_DELIMITER ? -1 : delimiter.charCodeAt(0);
    this.#end = offset;
  }

  /** Returns the records that end in a chunk. A blank line is an empty record; CRLF is one line end. */
  push(chunk: Uint8Array): RawRecord[] {
    const records: RawRecord[] = [];
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let at = this.#rest.length; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const isSecondHalf = byte === LF && this.#isAfterCr;
      this.#isAfterCr = byte === CR;
      if ((byte === LF || byte === CR) && !isSecondHalf) this.#line += 1;
      if (this.#state === QUOTED || (byte !== LF && byte !== CR)) this.#step(byte);
      else {
        const end = this.#end + at + 1 - from;
        const last = records.at(-1);
        if (!isSecondHalf)
          records.push({ bytes: bytes.subarray(from, at), line: this.#firstLine, end, isEnded: true });
        else if (last) last.end = end;
        this.#end = end;
        from = at + 1;
        this.#state = START;
        this.#firstLine = this.#line;
      }
    }
    this.#rest = Buffer.from(bytes.subarray(from));
    if (this.#rest.length > MAX_RECORD_BYTES) this.#fail();
    return records;
  }

  /** Returns the record after the last line end, if there is one. */
  finish(): RawRecord[] {
    if (this.#state === QUOTED) this.#fail();
    if (this.#rest.length === 0) return [];
    const end = this.#end + this.#rest.length;
    return [{ bytes: this.#rest, line: this.#firstLine, end, isEnded: false }];
  }

  #step(byte: number): void {
    const state = this.#state;
    if (state === QUOTED) {
      if (byte === QUOTE) this.#state = CLOSED;
    } else if (byte === this.#delimiter) this.#state = START;
    else if (byte === QUOTE && state !== PLAIN) this.#state = QUOTED;
    else this.#state = PLAIN;
  }

  #fail(): never {
    throw new CliError(
      EXIT.usage,
      this.#state === QUOTED
        ? `Line ${this.#firstLine} opens a quote that is not closed.`
        : `Line ${this.#firstLine} is longer than 1 MiB: this is no list.`,
    );
  }
}

/** Splits a record into its fields. Text after a closing quote makes the field one without quotes. */
export function splitFields(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return delimiter === NO_DELIMITER ? [record] : record.split(delimiter);
  const fields: string[] = [];
  for (let at = 0; at <= record.length;) {
    const [field, end] = readField(record, at, delimiter);
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

/** Returns the field that starts at `from`, and the place of the delimiter after it. */
function readField(record: string, from: number, delimiter: string): [field: string, end: number] {
  let at = from;
  while (record[at] === '"') {
    const close = record.indexOf('"', at + 1);
    if (close < 0) break;
    at = close + 1;
  }
  const next = delimiter === NO_DELIMITER ? -1 : record.indexOf(delimiter, at);
  const end = next < 0 ? record.length : next;
  const isQuoted = at > from && at === end;
  const text = record.slice(from, end);
  return [isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text, end];
}
