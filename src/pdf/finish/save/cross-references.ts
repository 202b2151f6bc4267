/** The bytes of a row: type, a number of four bytes, a number of two. */
export const ROW_BYTES = 7;
/** Each row begins with its PNG filter; 2 is "up". */
const FILTER_UP = 2;

const IN_FILE = 1;
const IN_STREAM = 2;
const MIN_ROWS = 1024;

/** The rows of a cross-reference stream (ISO 32000-1 §7.5.8): the place of each object. */
export class CrossReferences {
  #rows = Buffer.alloc(MIN_ROWS * ROW_BYTES);

  /** Sets the place of an object: an offset of the file. */
  setOffset(number: number, offset: number): void {
    const at = this.#ensureRow(number);
    this.#rows.writeUInt8(IN_FILE, at);
    this.#rows.writeUInt32BE(offset, at + 1);
  }

  /** Sets the place of an object: an index of an object stream. */
  setStream(number: number, stream: number, index: number): void {
    const at = this.#ensureRow(number);
    this.#rows.writeUInt8(IN_STREAM, at);
    this.#rows.writeUInt32BE(stream, at + 1);
    this.#rows.writeUInt16BE(index, at + 5);
  }

  /** Formats the first `count` rows as differences from the row before (PNG's "up" predictor). */
  formatRows(count: number): Buffer {
    this.#ensureRow(count);
    const rows = this.#rows;
    const result = Buffer.alloc(count * (ROW_BYTES + 1));
    for (let number = 0, at = 0; number < count; number += 1) {
      result[at++] = FILTER_UP;
      for (let from = number * ROW_BYTES; from < (number + 1) * ROW_BYTES; from += 1)
        result[at++] = (rows[from] ?? 0) - (rows[from - ROW_BYTES] ?? 0);
    }
    return result;
  }

  /** Returns the offset of an object's row, and makes room for it. */
  #ensureRow(number: number): number {
    const needed = (number + 1) * ROW_BYTES;
    if (needed > this.#rows.length)
      this.#rows = Buffer.concat([this.#rows], Math.max(needed, this.#rows.length * 2));
    return number * ROW_BYTES;
  }
}
