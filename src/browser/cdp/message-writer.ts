import type { Writable } from 'node:stream';

/** A command. A Uint8Array among its parameters is sent as base64. */
export interface CommandMessage {
  id: number;
  method: string;
  params: object | undefined;
  sessionId: string | undefined;
}

/** The characters or bytes that are serialized in one piece: 64 Ki characters take at most 2 ms. */
const SLICE_CHARACTERS = 64 * 1024;
const SLICE_BYTES = 48 * 1024;
const PIECES_PER_TURN = 4;

/**
 * Sends commands in order. Serializes a large command (a document, a fetched resource) in slices over several
 * turns: 50 MB in one turn would take half a second.
 */
export class MessageWriter {
  readonly #output: Writable;
  #queue: Iterator<string>[] = [];

  constructor(output: Writable) {
    this.#output = output;
  }

  write(message: CommandMessage): void {
    const isLarge = Object.values(message.params ?? {}).some(isLargeValue);
    if (!isLarge && this.#queue.length === 0) {
      this.#output.write(`${JSON.stringify(message)}\0`);
      return;
    }
    this.#queue.push(isLarge ? serializeInSlices(message) : [`${JSON.stringify(message)}\0`].values());
    if (this.#queue.length === 1) this.#writeSlices();
  }

  /** Drops the commands that were not sent yet. */
  clear(): void {
    this.#queue = [];
  }

  #writeSlices(): void {
    for (let pieces = 0; pieces < PIECES_PER_TURN; pieces += 1) {
      const [current] = this.#queue;
      if (!current) return;
      const next = current.next();
      if (next.done) this.#queue.shift();
      else this.#output.write(next.value);
    }
    const proceed = (): void => void setImmediate(() => this.#writeSlices());
    if (this.#output.writableNeedDrain) this.#output.once('drain', proceed);
    else proceed();
  }
}

function isLargeValue(value: unknown): boolean {
  return value instanceof Uint8Array || (typeof value === 'string' && value.length > SLICE_CHARACTERS);
}

function* serializeInSlices({ id, method, params, sessionId }: CommandMessage): Generator<string> {
  let before = `${JSON.stringify({ id, method, sessionId }).slice(0, -1)},"params":{`;
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (isLargeValue(value)) yield* sliceValue(value as string | Uint8Array);
    else yield JSON.stringify(value);
  }
  yield '}}\0';
}

function* sliceValue(value: string | Uint8Array): Generator<string> {
  yield '"';
  if (typeof value === 'string') {
    // A slice may split a surrogate pair: its halves are then escaped one by one, which parses to the same
    // text.
    for (let at = 0; at < value.length; at += SLICE_CHARACTERS)
      yield JSON.stringify(value.slice(at, at + SLICE_CHARACTERS)).slice(1, -1);
  } else {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES)
      yield bytes.toString('base64', at, at + SLICE_BYTES);
  }
  yield '"';
}
