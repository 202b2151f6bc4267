/** The texts of a batch: read as they are needed, so that the list may be longer than the memory. */
export type BatchInput = Iterable<string> | AsyncIterable<string>;

/** The JSON of the texts of one request: 3 bytes for each character fit into the limits of the service. */
const MAX_CHUNK_CHARACTERS = 1_000_000;

/** The texts of a batch whose rows have not arrived yet. */
export class InputQueue {
  readonly #source: Iterator<string> | AsyncIterator<string>;
  #waiting: string[] = [];
  #isDone = false;

  constructor(input: BatchInput) {
    if (typeof input === 'string') throw new TypeError('A batch takes a list of strings, not one string.');
    this.#source = Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]();
  }

  /** Returns up to `count` texts from the front, fewer if they are long; none at the end of the input. */
  async peek(count: number): Promise<string[]> {
    while (this.#waiting.length < count && !this.#isDone) {
      const { done, value } = await this.#source.next();
      if (done) this.#isDone = true;
      else this.#waiting.push(value);
    }
    let characters = 0;
    const end = this.#waiting.slice(0, count).findIndex((text, index) => {
      characters += JSON.stringify([text]).length;
      return characters > MAX_CHUNK_CHARACTERS && index > 0;
    });
    return this.#waiting.slice(0, end < 0 ? count : end);
  }

  /** Removes the first text: its row has arrived. */
  drop(): void {
    this.#waiting.shift();
  }

  /** Ends the input, as `break` does in a loop over it. */
  async close(): Promise<void> {
    if (!this.#isDone) await this.#source.return?.();
  }
}
