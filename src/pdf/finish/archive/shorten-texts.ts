import { hash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFStream,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { FinishFault } from '../finish-input.ts';

/** The limits of ISO 19005-3 §6.1.13, in bytes. */
const MAX_STRING_BYTES = 32_767;
const MAX_NAME_BYTES = 127;
/** Of UTF-16, within the limit. */
const MAX_TEXT_CHARACTERS = 16_000;

const CUT = `PDF/A allows texts of ${MAX_STRING_BYTES} bytes: a longer title, heading or description was cut`;

/** Strings that people read: the title and others of the metadata, outlines, alternative texts. */
const TEXT_KEYS: ReadonlySet<string> = new Set(
  'Title Author Subject Keywords Alt ActualText E T Contents Desc Summary'
    .split(' ')
    .map((name) => `/${name}`),
);

/**
 * Shortens names and texts that are longer than PDF/A allows: a name is replaced everywhere by the same other
 * one, as names of destinations only have to be equal; a text is cut. Returns the warnings. Throws
 * FinishFault for a string that cannot be cut, such as the address of a link.
 */
export function shortenTexts({ context }: PDFDocument): string[] {
  let isCut = false;
  const open = context
    .enumerateIndirectObjects()
    .map(([, object]) => (object instanceof PDFStream ? object.dict : object));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const shorten = (key: PDFName | null, value: PDFObject): PDFObject => {
      // The others need no visit, and an array of numbers may be long.
      if (value instanceof PDFDict || value instanceof PDFArray) open.push(value);
      if (isLongName(value)) return shortenName(value);
      if (!isLongString(value)) return value;
      if (key === null || !TEXT_KEYS.has(key.asString())) throw new FinishFault(describeLongString(key));
      isCut = true;
      return PDFHexString.fromText(value.decodeText().slice(0, MAX_TEXT_CHARACTERS).toWellFormed());
    };
    if (next instanceof PDFArray)
      for (const [index, item] of next.asArray().entries()) next.set(index, shorten(null, item));
    else if (next instanceof PDFDict)
      for (const [key, value] of next.entries()) {
        if (isLongName(key)) next.delete(key);
        next.set(isLongName(key) ? shortenName(key) : key, shorten(key, value));
      }
  }
  return isCut ? [CUT] : [];
}

function isLongString(object: PDFObject): object is PDFString | PDFHexString {
  return (object instanceof PDFString || object instanceof PDFHexString) && isLong(object, MAX_STRING_BYTES);
}

function isLongName(object: PDFObject): object is PDFName {
  return object instanceof PDFName && isLong(object, MAX_NAME_BYTES);
}

function isLong(object: PDFString | PDFHexString | PDFName, max: number): boolean {
  // Escapes make the source at most longer.
  return object.sizeInBytes() > max && object.asBytes().length > max;
}

function shortenName(name: PDFName): PDFName {
  return PDFName.of(`long-${hash('sha256', name.asBytes(), 'hex').slice(0, 32)}`);
}

function describeLongString(key: PDFName | null): string {
  const what = key?.asString() === '/URI' ? 'The address of a link' : 'A text';
  return `${what} is longer than ${MAX_STRING_BYTES} bytes, which PDF/A does not allow: shorten it, or send no pdfa.`;
}
