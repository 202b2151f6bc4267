const FIRST_BYTES = 64 * 1024;
/** Up to this size the buffer grows by copying: reserving address space would take longer than decoding. */
const MAX_COPIED_BYTES = 1024 * 1024;
const GROWTH_BYTES = 1024 * 1024;

/**
 * Decodes base64 that arrives in pieces. A large buffer grows in place (a resizable ArrayBuffer), so that
 * neither the whole text nor a second copy of the bytes exists: one Buffer.concat of 100 MB takes more than
 * 100 ms of CPU, mostly for page faults.
 */
export class Base64Decoder {
  readonly #maxBytes: number;
  #memory = new ArrayBuffer(0);
  #length = 0;
  /** Up to three characters that wait for the rest of their group of four. */
  #carry = '';
  #isPadded = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Appends a piece. Throws RangeError if the result exceeds the maximum, SyntaxError if this is not base64.
   */
  append(piece: Buffer): void {
    const text = this.#carry + piece.toString('latin1');
    const wholeLength = text.length - (text.length % 4);
    this.#carry = text.slice(wholeLength);
    if (wholeLength === 0) return;
    if (this.#isPadded) throw new SyntaxError('base64 continues after its padding');
    const padding = text.endsWith('==', wholeLength) ? 2 : text.endsWith('=', wholeLength) ? 1 : 0;
    const bytes = (wholeLength / 4) * 3 - padding;
    this.#grow(bytes);
    const written = Buffer.from(this.#memory, this.#length, bytes).write(
      text.slice(0, wholeLength),
      'base64',
    );
    // Node's decoder skips characters that are not base64.
    if (written !== bytes) throw new SyntaxError('invalid base64');
    this.#length += bytes;
    this.#isPadded = padding > 0;
  }

  /** Returns the bytes. Throws SyntaxError if the last group is incomplete. */
  finish(): Buffer {
    if (this.#carry !== '') throw new SyntaxError('base64 ends within a group');
    if (this.#memory.resizable) this.#memory.resize(this.#length);
    return Buffer.from(this.#memory, 0, this.#length);
  }

  #grow(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#maxBytes) throw new RangeError('the data is too large');
    const { byteLength, resizable } = this.#memory;
    if (needed <= byteLength) return;
    if (resizable) {
      this.#memory.resize(Math.min(this.#maxBytes, needed + GROWTH_BYTES));
      return;
    }
    const size = Math.max(FIRST_BYTES, needed, byteLength * 2);
    const larger =
      size <= MAX_COPIED_BYTES
        ? new ArrayBuffer(size)
        : new ArrayBuffer(Math.min(size, this.#maxBytes), { maxByteLength: this.#maxBytes });
    new Uint8Array(larger).set(new Uint8Array(this.#memory, 0, this.#length));
    this.#memory = larger;
  }
}
