import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { type FileEncryption, encryptStrings } from './encryption/encrypt-pdf.ts';
import { encryptBytes } from './encryption/security-handler.ts';

/** Objects in one object stream: more compress better, fewer are faster to access. */
const OBJECTS_PER_STREAM = 200;
const HEADER = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
/** Streams that were part of how the source was written. */
const SOURCE_TYPES: ReadonlySet<PDFObject | undefined> = new Set(
  ['ObjStm', 'XRef'].map((type) => PDFName.of(type)),
);

/**
 * Writes a PDF with object streams (ISO 32000-1 §7.5.7), encrypted if `encryption` is not null. Its file
 * identifier is computed from its bytes: equal documents without encryption give equal files.
 */
export async function savePdf(pdf: PDFDocument, encryption: FileEncryption | null): Promise<Buffer> {
  // The library creates embedded pages and files late.
  await pdf.flush();
  return new PdfWriter(pdf, encryption).write();
}

class PdfWriter {
  readonly #pdf: PDFDocument;
  readonly #encryption: FileEncryption | null;
  readonly #parts: Buffer[] = [];
  readonly #digest = createHash('md5');
  #length = 0;

  constructor(pdf: PDFDocument, encryption: FileEncryption | null) {
    this.#pdf = pdf;
    this.#encryption = encryption;
  }

  write(): Buffer {
    const { context } = this.#pdf;
    const objects = context.enumerateIndirectObjects();
    const small = objects.filter(([, object]) => !(object instanceof PDFStream));
    const streams = Math.ceil(small.length / OBJECTS_PER_STREAM);
    const firstStream = context.largestObjectNumber + 1;
    const encryptNumber = firstStream + streams;
    const size = encryptNumber + 2;
    const table = new CrossReferences(size);
    this.#append(HEADER);
    for (const [{ objectNumber }, object] of objects) {
      if (!(object instanceof PDFStream) || isOfSource(object)) continue;
      table.setOffset(objectNumber, this.#length);
      this.#appendStream(objectNumber, object.dict, object.getContents());
    }
    for (let stream = 0; stream < streams; stream += 1) {
      const number = firstStream + stream;
      const group = small.slice(stream * OBJECTS_PER_STREAM, (stream + 1) * OBJECTS_PER_STREAM);
      group.forEach(([ref], index) => table.setStream(ref.objectNumber, number, index));
      table.setOffset(number, this.#length);
      this.#appendObjectStream(number, group);
    }
    if (this.#encryption !== null) {
      table.setOffset(encryptNumber, this.#length);
      this.#appendText(`${encryptNumber} 0 obj\n${this.#encryption.dictionary.toString()}\nendobj\n`);
    }
    this.#appendEnd(table, size, encryptNumber);
    return Buffer.concat(this.#parts, this.#length);
  }

  /** Appends objects that are no streams. Within the stream, which is encrypted, their strings are plain. */
  #appendObjectStream(number: number, group: readonly [PDFRef, PDFObject][]): void {
    const bodies = group.map(([, object]) => Buffer.from(`${object.toString()}\n`, 'latin1'));
    let offset = 0;
    const index = group.map(([ref], at) => {
      const entry = `${ref.objectNumber} ${offset}`;
      offset += bodies[at]?.length ?? 0;
      return entry;
    });
    const head = Buffer.from(`${index.join(' ')}\n`);
    const { context } = this.#pdf;
    const dictionary = context.obj({
      Type: 'ObjStm',
      N: group.length,
      First: head.length,
      Filter: 'FlateDecode',
    });
    this.#appendStream(number, dictionary, deflateSync(Buffer.concat([head, ...bodies])));
  }

  #appendStream(number: number, dictionary: PDFDict, contents: Uint8Array): void {
    const key = this.#encryption?.fileKey;
    const parts = key ? encryptBytes(contents, key) : [contents];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const written = key ? (encryptStrings(dictionary, this.#pdf.context, key) as PDFDict) : dictionary;
    written.set(PDFName.Length, this.#pdf.context.obj(length));
    this.#appendText(`${number} 0 obj\n${written.toString()}\nstream\n`);
    for (const part of parts) this.#append(part);
    this.#appendText('\nendstream\nendobj\n');
  }

  /** Appends the cross-reference stream, which is never encrypted, and the end of the file. */
  #appendEnd(table: CrossReferences, size: number, encryptNumber: number): void {
    const { context } = this.#pdf;
    const start = this.#length;
    table.setOffset(size - 1, start);
    const data = deflateSync(table.format());
    const id = context.obj(this.#digest.copy().digest());
    const { Root, Info } = context.trailerInfo;
    const dictionary = context.obj({
      Type: 'XRef',
      Size: size,
      ...ROW_FORMAT,
      Root,
      Info,
      ID: [id, id],
      ...(this.#encryption !== null && { Encrypt: PDFRef.of(encryptNumber) }),
      Filter: 'FlateDecode',
      Length: data.length,
    });
    this.#appendText(`${size - 1} 0 obj\n${dictionary.toString()}\nstream\n`);
    this.#append(data);
    this.#appendText(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
  }

  #appendText(text: string): void {
    this.#append(Buffer.from(text, 'latin1'));
  }

  #append(bytes: Uint8Array): void {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#digest.update(part);
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function isOfSource(stream: PDFStream): boolean {
  return SOURCE_TYPES.has(stream.dict.get(PDFName.of('Type')));
}

// The rows of a cross-reference stream (ISO 32000-1 §7.5.8): the place of each object.

/** A row has its type, a number of four bytes and one of two. */
const ROW_BYTES = 7;
/** Each row begins with its PNG filter; 2 is "up", which differs little from row to row. */
const FILTER_UP = 2;
const IN_FILE = 1;
const IN_STREAM = 2;

const ROW_FORMAT = {
  W: [1, 4, 2],
  DecodeParms: { Predictor: 12, Columns: ROW_BYTES },
};

/** The places of the objects of a file. A number without a place is free. */
class CrossReferences {
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
