/** Finds the objects of a PDF by a scan of its bytes, without its cross-reference table. */
import { constants, inflateSync } from 'node:zlib';
import { parsePdfDictionary, type PdfDictionary, type PdfValue } from './pdf-values.ts';

/** A longer dictionary is not parsed: those that are needed have a few hundred bytes. */
const MAX_DICTIONARY = 16_384;
const MAX_OBJECTS = 100_000;
/** The sum of what is parsed in one file; its dictionaries need less, but they could overlap. */
const MAX_PARSED = 262_144;
/** Each version of a file adds one; only the last ones are parsed. */
const MAX_TRAILERS = 16;
/** Streams of objects and cross-reference streams; each costs a parse. */
const MAX_STREAMS = 500;
/** The sum of what is decompressed. */
const MAX_INFLATED_BYTES = 4 * 1024 * 1024;
/** Objects in one stream; writers put 100 to 200 in each. */
const MAX_STREAM_OBJECTS = 10_000;

/** The position of an object in a text: that of the file, or of a stream that was decompressed. */
interface PdfObject {
  text: string;
  at: number;
  stream: Buffer | null;
}

/** The number of an object is found backwards from `obj`: a file may consist of digits and spaces. */
const TOKEN =
  /obj(?<=(\d{1,10})[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}obj)|>>[\0\t\n\f\r ]{0,20}stream\r?\n|trailer/g;
/** A pair in the header of an object stream: the number of an object and its position. */
const HEADER_PAIR = /\D*(\d{1,10})\D+(\d{1,10})/y;

export class PdfObjects {
  readonly #objects = new Map<number, PdfObject>();
  readonly #bytes: Buffer;
  readonly #budget = { characters: MAX_PARSED };
  readonly #trailer = new Map<string, PdfValue>();
  /** The last trailers: those of cross-reference streams, and the positions of others. */
  readonly #trailers: (PdfDictionary | number)[] = [];
  #count = 0;
  #inflatedBytes = 0;
  #streams = 0;
  /** The dictionary of the first object of the file. */
  first: PdfDictionary | null = null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const text = bytes.toString('latin1');
    this.#scan(text);
    for (const trailer of this.#trailers) {
      const dictionary = typeof trailer === 'number' ? this.#parseAt(text, trailer) : trailer;
      for (const [name, value] of dictionary ?? []) this.#trailer.set(name, value);
    }
  }

  /** The entries of the last trailers; of those with one name, the last. */
  get trailer(): PdfDictionary {
    return this.#trailer;
  }

  /** Returns the dictionary that `value` is or refers to, or null. */
  findDictionary(value: PdfValue | undefined): PdfDictionary | null {
    if (value?.kind === 'dictionary') return value.entries;
    const object = value?.kind === 'reference' ? this.#objects.get(value.object) : undefined;
    return object === undefined ? null : this.#parseAt(object.text, object.at);
  }

  /** Returns the bytes of the stream that `value` refers to, or null. They are as stored. */
  findStream(value: PdfValue | undefined): Buffer | null {
    return value?.kind === 'reference' ? (this.#objects.get(value.object)?.stream ?? null) : null;
  }

  /** Returns the text of the object that `value` refers to, from its start on, or null. */
  findText(value: PdfValue | undefined): string | null {
    const object = value?.kind === 'reference' ? this.#objects.get(value.object) : undefined;
    return object === undefined ? null : object.text.slice(object.at, object.at + MAX_DICTIONARY);
  }

  /** Indexes the objects in one pass; of objects with one number, the last counts (incremental updates). */
  #scan(text: string): void {
    let current: PdfObject | null = null;
    TOKEN.lastIndex = 0;
    for (
      let token = TOKEN.exec(text);
      token !== null && this.#count < MAX_OBJECTS;
      token = TOKEN.exec(text)
    ) {
      const at = token.index + token[0].length;
      if (token[1] !== undefined) {
        current = { text, at, stream: null };
        this.#objects.set(Number(token[1]), current);
        if (this.#count++ === 0) this.first = this.#parseAt(text, at);
      } else if (token[0] === 'trailer') {
        this.#addTrailer(at);
      } else if (current !== null) {
        const end = text.indexOf('endstream', at);
        if (end < 0) break;
        // Bytes of a stream may look like objects.
        TOKEN.lastIndex = end;
        current.stream = this.#bytes.subarray(at, end);
        this.#addStream(current, at);
        current = null;
      }
    }
  }

  #addTrailer(trailer: PdfDictionary | number): void {
    this.#trailers.push(trailer);
    if (this.#trailers.length > MAX_TRAILERS) this.#trailers.shift();
  }

  /** Adds the objects of an object stream (§7.5.7), and the trailer of a cross-reference stream (§7.5.8). */
  #addStream({ text, at, stream }: PdfObject, streamAt: number): void {
    // Most streams are pages and images; their dictionaries need not be parsed.
    const start = text.slice(at, Math.min(at + 1_000, streamAt));
    if (this.#streams >= MAX_STREAMS || !/\/(?:ObjStm|XRef)\b/.test(start)) return;
    this.#streams++;
    const dictionary = this.#parseAt(text, at);
    const type = dictionary?.get('Type');
    if (dictionary === null || type?.kind !== 'name' || stream === null) return;
    if (type.value === 'XRef') this.#addTrailer(dictionary);
    else if (type.value === 'ObjStm') this.#addObjectStream(dictionary, stream);
  }

  #addObjectStream(dictionary: PdfDictionary, stream: Buffer): void {
    const count = getNumber(dictionary, 'N');
    const first = getNumber(dictionary, 'First');
    const text = this.#inflate(dictionary, stream);
    if (text === null || count === null || first === null || first > text.length) return;
    const header = text.slice(0, first);
    HEADER_PAIR.lastIndex = 0;
    for (let n = 0; n < count && n < MAX_STREAM_OBJECTS && this.#count < MAX_OBJECTS; n++) {
      const pair = HEADER_PAIR.exec(header);
      if (pair === null) return;
      const at = first + Number(pair[2]);
      this.#count++;
      if (at < text.length) this.#objects.set(Number(pair[1]), { text, at, stream: null });
    }
  }

  #inflate(dictionary: PdfDictionary, stream: Buffer): string | null {
    const filter = dictionary.get('Filter');
    if (filter === undefined) return stream.toString('latin1');
    if (filter.kind !== 'name' || filter.value !== 'FlateDecode') return null;
    const maxOutputLength = MAX_INFLATED_BYTES - this.#inflatedBytes;
    if (maxOutputLength <= 0) return null;
    try {
      // The end of a stream may be cut off, or followed by a line end.
      const inflated = inflateSync(stream, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      this.#inflatedBytes += inflated.length;
      return inflated.toString('latin1');
    } catch {
      // Encrypted, damaged, or larger than the rest of the budget: so are the others, and each costs time.
      this.#inflatedBytes = MAX_INFLATED_BYTES;
      return null;
    }
  }

  #parseAt(text: string, at: number): PdfDictionary | null {
    return parsePdfDictionary(text.slice(at, at + MAX_DICTIONARY), this.#budget);
  }
}

/** Returns a number of a dictionary that is whole and not negative, or null. */
export function getNumber(dictionary: PdfDictionary | null, name: string): number | null {
  const value = dictionary?.get(name);
  return value?.kind === 'number' && Number.isSafeInteger(value.value) && value.value >= 0
    ? value.value
    : null;
}
