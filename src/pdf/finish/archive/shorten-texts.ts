import { hash } from 'node:crypto';
import {
  PDFArray,
  type PDFDict,
  PDFHexString,
  PDFName,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { toTextString } from '../set-metadata.ts';
import { ArchiveFault, visitContainers } from './list-contents.ts';

/** The limits of ISO 19005-3 §6.1.13, in bytes. */
const MAX_STRING_BYTES = 32_767;
const MAX_NAME_BYTES = 127;
/** Of UTF-16, within the limit. */
const MAX_TEXT_CHARACTERS = 16_000;

const CUT = `PDF/A allows texts of ${MAX_STRING_BYTES} bytes: a longer title, heading or description was cut`;

/** Strings that people read: the title and others of the metadata, outlines, alternative texts. */
const TEXT_KEYS: ReadonlySet<string> = new Set(
  [
    'Title',
    'Author',
    'Subject',
    'Keywords',
    'Alt',
    'ActualText',
    'E',
    'T',
    'Contents',
    'Desc',
    'Summary',
  ].map((name) => `/${name}`),
);

/**
 * Shortens names and texts that are longer than PDF/A allows: a name is replaced everywhere by the same other
 * one, as names of destinations only have to be equal; a text is cut. Returns the warnings. Throws
 * ArchiveFault for a string that cannot be cut, such as the address of a link.
 */
export function shortenTexts(pdf: PDFDocument): string[] {
  let isCut = false;
  visitContainers(pdf, (container) => {
    if (container instanceof PDFArray) shortenItems(container);
    else isCut = shortenEntries(container) || isCut;
  });
  return isCut ? [CUT] : [];
}

function shortenItems(array: PDFArray): void {
  for (let index = 0; index < array.size(); index += 1) {
    const item = array.get(index);
    if (isLongString(item)) throw new ArchiveFault(describeLongString(null));
    if (isLongName(item)) array.set(index, shortenName(item));
  }
}

/** Returns whether a text was cut. */
function shortenEntries(dictionary: PDFDict): boolean {
  let isCut = false;
  for (const [key, value] of dictionary.entries()) {
    if (isLongString(value)) {
      if (!TEXT_KEYS.has(key.asString())) throw new ArchiveFault(describeLongString(key));
      dictionary.set(key, cutText(value));
      isCut = true;
    }
    if (isLongName(value)) dictionary.set(key, shortenName(value));
    if (!isLongName(key)) continue;
    const kept = dictionary.get(key);
    dictionary.delete(key);
    if (kept !== undefined) dictionary.set(shortenName(key), kept);
  }
  return isCut;
}

function isLongString(object: PDFObject): object is PDFString | PDFHexString {
  if (!(object instanceof PDFString || object instanceof PDFHexString)) return false;
  // Escapes make the source at most longer.
  return object.sizeInBytes() > MAX_STRING_BYTES && object.asBytes().length > MAX_STRING_BYTES;
}

function isLongName(object: PDFObject): object is PDFName {
  if (!(object instanceof PDFName)) return false;
  return object.sizeInBytes() > MAX_NAME_BYTES && object.asBytes().length > MAX_NAME_BYTES;
}

function shortenName(name: PDFName): PDFName {
  return PDFName.of(`long-${hash('sha256', name.asBytes(), 'hex').slice(0, 32)}`);
}

function cutText(text: PDFString | PDFHexString): PDFHexString {
  return toTextString(text.decodeText().slice(0, MAX_TEXT_CHARACTERS).toWellFormed());
}

function describeLongString(key: PDFName | null): string {
  const what = key?.asString() === '/URI' ? 'The address of a link' : 'A text';
  return `${what} is longer than ${MAX_STRING_BYTES} bytes, which PDF/A does not allow: shorten it, or send no pdfa.`;
}
