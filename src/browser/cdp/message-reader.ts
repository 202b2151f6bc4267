import { type CdpMessage, parseEnds, parseMessage } from './parse-message.ts';

/** A buffer grows by its own size, and by at most this. */
const MAX_GROWTH_BYTES = 1024 * 1024;

/**
 * Decodes base64 that arrives in pieces. The buffer grows in place (a resizable ArrayBuffer), so that neither
 * the whole text nor a second copy of the bytes exists: one Buffer.concat of 100 MB takes more than 100 ms of
 * CPU, mostly for page faults. To reserve the address space takes 0.02 ms.
 */
export class Base64Decoder {
  readonly #memory: ArrayBuffer;
  #length = 0;
  /** Up to three characters that wait for the rest of their group of four. */
  #carry = '';

  constructor(maxBytes: number) {
    this.#memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  }

  /**
   * Appends a piece. Throws RangeError if the result exceeds the maximum, SyntaxError if this is not base64.
   */
  append(piece: Buffer): void {
    const text = this.#carry + piece.toString('latin1');
    const wholeLength = text.length - (text.length % 4);
    this.#carry = text.slice(wholeLength);
    if (wholeLength === 0) return;
    const padding = text.endsWith('==', wholeLength) ? 2 : text.endsWith('=', wholeLength) ? 1 : 0;
    const start = this.#length;
    const end = start + (wholeLength / 4) * 3 - padding;
    const { byteLength, maxByteLength } = this.#memory;
    if (end > maxByteLength) throw new RangeError('the data is too large');
    if (end > byteLength) this.#memory.resize(Math.min(maxByteLength, end + Math.min(end, MAX_GROWTH_BYTES)));
    const written = Buffer.from(this.#memory, start).write(text.slice(0, wholeLength), 'base64');
    // Node's decoder skips characters that are not base64. After padding, the length is no multiple of three.
    if (written !== end - start || start % 3 !== 0) throw new SyntaxError('invalid base64');
    this.#length = end;
  }

  /** Returns the bytes. Throws SyntaxError if the last group is incomplete. */
  finish(): Buffer {
    if (this.#carry !== '') throw new SyntaxError('base64 ends within a group');
    this.#memory.resize(this.#length);
    return Buffer.from(this.#memory, 0, this.#length);
  }
}

const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Checks that a JSON text has at most `max` commas, arrays and objects: they decide how long JSON.parse
 * takes. One string of 2 MiB takes 3 ms, 2 MiB of `[[[[…` take 150 ms. The result for text that is not JSON
 * is meaningless.
 */
function hasAtMostValues(json: Uint8Array, max: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      at += 1;
      for (let inside = json[at]; inside !== QUOTE && at < json.length; inside = json[at])
        at += inside === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      count += 1;
      if (count > max) return false;
    }
  }
  return true;
}

const MAX_JSON_BYTES = 2 * 1024 * 1024;
/** Smaller messages are always parsed: 64 KiB of `{},` take 5 ms. */
const MAX_UNCHECKED_BYTES = 64 * 1024;
const MAX_JSON_VALUES = 20_000;
const MAX_DATA_BYTES = 192 * 1024 * 1024;
const HEAD_BYTES = 512;
const TAIL_BYTES = 64;
/** Enough bytes to match DATA_HEAD. */
const DECISION_BYTES = 64;
const DATA_HEAD = /^\{"id":(\d{1,15}),"result":\{"data":"/;
const QUOTE = 0x22;
const EMPTY = Buffer.alloc(0);

/**
 * Splits the browser's output into messages, which end in NUL, and parses them. Decodes large base64 as it
 * arrives; of a message that is too large, keeps only the beginning and the end.
 */
export class MessageReader {
  readonly #expectsData: (id: number) => boolean;
  #chunks: Buffer[] = [];
  #mode: 'start' | 'json' | 'data' | 'skip' = 'start';
  #pieces: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #tail: Buffer = EMPTY;
  #decoder: Base64Decoder | null = null;

  /** `expectsData` returns whether the result of a command is `data` in base64. */
  constructor(expectsData: (id: number) => boolean) {
    this.#expectsData = expectsData;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  /**
   * Returns the next message that has arrived completely; null if there is none. Throws SyntaxError if it is
   * not a message of CDP.
   */
  next(): CdpMessage | null {
    for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
      const end = chunk.indexOf(0);
      this.#take(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      if (end + 1 < chunk.length) this.#chunks.unshift(chunk.subarray(end + 1));
      return this.#finish();
    }
    return null;
  }

  /** Drops all bytes that have arrived. */
  clear(): void {
    this.#chunks = [];
    this.#reset();
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#mode === 'data') this.#decode(piece);
    else if (this.#mode === 'skip') this.#keepTail(piece);
    else this.#keep(piece);
    if (this.#mode === 'start' && this.#keptBytes >= DECISION_BYTES) this.#decide();
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#keptBytes += piece.length;
    if (this.#keptBytes > MAX_JSON_BYTES) this.#skip();
  }

  /** Decides by the first bytes whether this is a result whose base64 is decoded as it arrives. */
  #decide(): void {
    this.#mode = 'json';
    const start = this.#join();
    const head = DATA_HEAD.exec(start.toString('latin1', 0, DECISION_BYTES));
    if (!head || !this.#expectsData(Number(head[1]))) return;
    this.#mode = 'data';
    this.#decoder = new Base64Decoder(MAX_DATA_BYTES);
    this.#pieces = [start.subarray(0, head[0].length)];
    this.#keptBytes = head[0].length;
    this.#decode(start.subarray(head[0].length));
  }

  #decode(piece: Buffer): void {
    const end = piece.indexOf(QUOTE);
    try {
      this.#decoder?.append(end < 0 ? piece : piece.subarray(0, end));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#skip();
      return;
    }
    if (end < 0) return;
    this.#mode = 'json';
    this.#keep(piece.subarray(end));
  }

  #skip(): void {
    const start = this.#join();
    this.#mode = 'skip';
    this.#decoder = null;
    this.#pieces = [Buffer.from(start.subarray(0, HEAD_BYTES))];
    this.#keepTail(start);
  }

  #keepTail(piece: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }

  #finish(): CdpMessage {
    if (this.#mode === 'start') this.#decide();
    if (this.#mode === 'data') throw new SyntaxError('the message ends within its data');
    const json = this.#join();
    if (json.length > MAX_UNCHECKED_BYTES && !hasAtMostValues(json, MAX_JSON_VALUES)) this.#skip();
    const message =
      this.#mode === 'skip'
        ? parseEnds(this.#join().toString('latin1'), this.#tail.toString('latin1'))
        : parseMessage(json, this.#decoder?.finish());
    message.bytes = this.#bytes;
    this.#reset();
    return message;
  }

  #join(): Buffer {
    const [first = EMPTY] = this.#pieces;
    if (this.#pieces.length <= 1) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  #reset(): void {
    this.#mode = 'start';
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#bytes = 0;
    this.#tail = EMPTY;
    this.#decoder = null;
  }
}
