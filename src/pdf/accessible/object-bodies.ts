/**
 * The bodies of a PDF's objects by number: first those of the file, in its order, then the appended ones. A
 * large tagged document has a million of them, so an unchanged body is stored as two offsets, not as a
 * Buffer.
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

  /** Adds an object of the file. */
  add(number: number, { from, to }: { from: number; to: number }): void {
    this.#numbers[this.#length] = number;
    this.#starts[this.#length] = from;
    this.#ends[this.#length] = to;
    this.#length += 1;
  }

  /** Finds a body, in time proportional to the number of objects. */
  find(number: number): Buffer | undefined {
    const index = this.#numbers.indexOf(number);
    return this.#changed.get(number) ?? (index < 0 ? undefined : this.#bodyAt(index));
  }

  /** Replaces the body of an existing object. */
  replace(number: number, body: Buffer): void {
    this.#changed.set(number, body);
  }

  /** Appends a new object. */
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
