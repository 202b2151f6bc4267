import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  type PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { type Encrypt, encryptStrings } from './encrypt-pdf.ts';

/** Objects in one object stream: more compress better, fewer are faster to access. */
const OBJECTS_PER_STREAM = 200;
const HEADER = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');

/**
 * Writes a PDF by Chromium with object streams (ISO 32000-1 §7.5.7), encrypted if `encrypt` is not null. Its
 * file identifier is computed from its bytes: equal documents without encryption give equal files.
 */
export function savePdf(pdf: PDFDocument, encrypt: Encrypt | null): Buffer {
  return new PdfWriter(pdf, encrypt).write();
}

/** A row of the cross-reference stream has its type, a number of four bytes and one of two. */
const ROW_BYTES = 7;
const IN_FILE = 1;
const IN_STREAM = 2;

class PdfWriter {
  readonly #pdf: PDFDocument;
  readonly #encrypt: Encrypt | null;
  readonly #parts: Buffer[] = [];
  readonly #digest = createHash('md5');
  /** The rows of the cross-reference stream (ISO 32000-1 §7.5.8). A number without a place is free. */
  readonly #rows: Buffer;
  #length = 0;

  constructor(pdf: PDFDocument, encrypt: Encrypt | null) {
    this.#pdf = pdf;
    this.#encrypt = encrypt;
    // Each object, the object streams and the cross-reference stream.
    const size = 2 + Math.ceil(pdf.context.largestObjectNumber * (1 + 1 / OBJECTS_PER_STREAM));
    this.#rows = Buffer.alloc(size * ROW_BYTES);
    // Object 0 heads the list of free ones.
    this.#rows.writeUInt16BE(0xffff, 5);
  }

  write(): Buffer {
    const { context } = this.#pdf;
    const { Encrypt: encryption } = context.trailerInfo;
    let next = context.largestObjectNumber + 1;
    const small: [PDFRef, PDFObject][] = [];
    this.#append(HEADER);
    for (const entry of context.enumerateIndirectObjects()) {
      const [ref, object] = entry;
      if (object instanceof PDFStream)
        this.#appendStream(ref.objectNumber, object.dict, object.getContents());
      else if (ref === encryption) this.#appendObject(ref.objectNumber, [object.toString()]);
      else small.push(entry);
    }
    for (let from = 0; from < small.length; from += OBJECTS_PER_STREAM, next += 1)
      this.#appendObjectStream(next, small.slice(from, from + OBJECTS_PER_STREAM));
    this.#appendEnd(next);
    return Buffer.concat(this.#parts, this.#length);
  }

  /** Appends objects that are no streams. Within the stream, which is encrypted, their strings are plain. */
  #appendObjectStream(number: number, group: readonly [PDFRef, PDFObject][]): void {
    const bodies = group.map(([, object]) => Buffer.from(`${object.toString()}\n`, 'latin1'));
    let offset = 0;
    const index = group.map(([{ objectNumber }], at) => {
      this.#setRow(objectNumber, IN_STREAM, number, at);
      const entry = `${objectNumber} ${offset}`;
      offset += bodies[at]?.length ?? 0;
      return entry;
    });
    const head = Buffer.from(`${index.join(' ')}\n`);
    const entries = { Type: 'ObjStm', N: group.length, First: head.length, Filter: 'FlateDecode' };
    const data = deflateSync(Buffer.concat([head, ...bodies]));
    this.#appendStream(number, this.#pdf.context.obj(entries), data);
  }

  #appendStream(number: number, dictionary: PDFDict, contents: Uint8Array): void {
    const encrypt = this.#encrypt;
    const written = encrypt === null ? dictionary : (encryptStrings(dictionary, encrypt) as PDFDict);
    const parts = encrypt === null ? [contents] : encrypt(contents);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    written.set(PDFName.Length, this.#pdf.context.obj(length));
    this.#appendObject(number, [`${written.toString()}\nstream\n`, ...parts, '\nendstream']);
  }

  /** Appends the cross-reference stream, which is never encrypted, and the end of the file. */
  #appendEnd(number: number): void {
    const { context } = this.#pdf;
    const start = this.#length;
    const id = context.obj(this.#digest.copy().digest());
    this.#setRow(number, IN_FILE, start);
    const data = deflateSync(this.#rows.subarray(0, (number + 1) * ROW_BYTES));
    const { Root, Info, Encrypt: encryption } = context.trailerInfo;
    const dictionary = context.obj({
      Type: 'XRef',
      Size: number + 1,
      W: [1, 4, 2],
      Root,
      Info,
      ID: [id, id],
      ...(encryption !== undefined && { Encrypt: encryption }),
      Filter: 'FlateDecode',
      Length: data.length,
    });
    this.#appendObject(number, [`${dictionary.toString()}\nstream\n`, data, '\nendstream']);
    this.#append(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  }

  #appendObject(number: number, parts: readonly (string | Uint8Array)[]): void {
    this.#setRow(number, IN_FILE, this.#length);
    for (const part of [`${number} 0 obj\n`, ...parts, '\nendobj\n'])
      this.#append(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  }

  /** Sets the place of an object: an offset of the file, or the number of an object stream and an index. */
  #setRow(number: number, type: number, place: number, index = 0): void {
    this.#rows.writeUInt8(type, number * ROW_BYTES);
    this.#rows.writeUInt32BE(place, number * ROW_BYTES + 1);
    this.#rows.writeUInt16BE(index, number * ROW_BYTES + 5);
  }

  #append(bytes: Uint8Array): void {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#digest.update(part);
    this.#parts.push(part);
    this.#length += part.length;
  }
}
