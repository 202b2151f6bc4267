/** The rows of a cross-reference stream (ISO 32000-1 §7.5.8): the place of each object. */

/** A row has its type, a number of four bytes and one of two. */
const ROW_BYTES = 7;
/** Each row begins with its PNG filter; 2 is "up", which differs little from row to row. */
const FILTER_UP = 2;
const IN_FILE = 1;
const IN_STREAM = 2;

export const ROW_FORMAT = {
  W: [1, 4, 2],
  DecodeParms: { Predictor: 12, Columns: ROW_BYTES },
};

/** The places of the objects of a file. A number without a place is free. */
export class CrossReferences {
  readonly #rows: Buffer;

  /** `size`: one more than the highest number. */
  constructor(size: number) {
    this.#rows = Buffer.alloc(size * ROW_BYTES);
    // Object 0 heads the list of free ones.
    this.#rows.writeUInt16BE(0xffff, 5);
  }

  /** Sets the place of an object: an offset of the file. */
  setOffset(number: number, offset: number): void {
    this.#set(number, IN_FILE, offset, 0);
  }

  /** Sets the place of an object: an index of an object stream. */
  setStream(number: number, stream: number, index: number): void {
    this.#set(number, IN_STREAM, stream, index);
  }

  /** Formats the rows as differences from the row before. */
  format(): Buffer {
    const rows = this.#rows;
    const count = rows.length / ROW_BYTES;
    const result = Buffer.alloc(count * (ROW_BYTES + 1));
    for (let from = 0, at = 0; from < rows.length; from += 1) {
      if (from % ROW_BYTES === 0) result[at++] = FILTER_UP;
      result[at++] = (rows[from] ?? 0) - (rows[from - ROW_BYTES] ?? 0);
    }
    return result;
  }

  #set(number: number, type: number, place: number, index: number): void {
    const at = number * ROW_BYTES;
    this.#rows.writeUInt8(type, at);
    this.#rows.writeUInt32BE(place, at + 1);
    this.#rows.writeUInt16BE(index, at + 5);
  }
}
