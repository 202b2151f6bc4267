/**
 * The bodies of a PDF's objects by number, in the order of the file, then in the order in which they were added. A large tagged
 * document has a million of them: what is unchanged is kept as two offsets, not as a Buffer.
 */
export class ObjectBodies {
  readonly #pdf: Buffer;
  readonly #numbers: Uint32Array;
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #changed = new Map<number, Buffer>();
  readonly #added: number[] = [];
  #length = 0;

  constructor(pdf: Buffer, capacity: number) {
    this.#pdf = pdf;
    this.#numbers = new Uint32Array(capacity);
    this.#starts = new Float64Array(capacity);
    this.#ends = new Float64Array(capacity);
  }

  /** Appends an object of the file. */
  add(number: number, { from, to }: { from: number; to: number }): void {
    this.#numbers[this.#length] = number;
    this.#starts[this.#length] = from;
    this.#ends[this.#length] = to;
    this.#length += 1;
  }

  /** Finds a body; takes time in proportion to the number of objects. */
  find(number: number): Buffer | undefined {
    const index = this.#numbers.indexOf(number);
    return this.#changed.get(number) ?? (index < 0 ? undefined : this.#bodyAt(index));
  }

  /** Replaces the body of an object that is there. */
  replace(number: number, body: Buffer): void {
    this.#changed.set(number, body);
  }

  /** Appends an object that is not there yet. */
  append(number: number, body: Buffer): void {
    this.#added.push(number);
    this.#changed.set(number, body);
  }

  *[Symbol.iterator](): Generator<[number: number, body: Buffer], void, undefined> {
    for (let index = 0; index < this.#length; index += 1) {
      const number = this.#numbers[index] ?? 0;
      yield [number, this.#changed.get(number) ?? this.#bodyAt(index)];
    }
    for (const number of this.#added) {
      const body = this.#changed.get(number);
      if (body) yield [number, body];
    }
  }

  #bodyAt(index: number): Buffer {
    return this.#pdf.subarray(this.#starts[index], this.#ends[index]);
  }
}
