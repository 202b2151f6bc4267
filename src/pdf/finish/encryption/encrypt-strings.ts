import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFString,
  type PDFContext,
  type PDFName,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { encryptBytes } from './security-handler.ts';

/**
 * Encrypts the strings of an object that is written outside of object streams, such as the dictionary of a
 * stream: readers decrypt each of them. Returns a copy.
 */
export function encryptStrings(object: PDFObject, context: PDFContext, fileKey: Buffer): PDFObject {
  const encrypt = (part: PDFObject): PDFObject => encryptStrings(part, context, fileKey);
  if (object instanceof PDFString || object instanceof PDFHexString)
    return PDFHexString.of(Buffer.concat(encryptBytes(object.asBytes(), fileKey)).toString('hex'));
  if (object instanceof PDFArray) return context.obj(object.asArray().map(encrypt));
  return object instanceof PDFDict ? encryptDictionary(object, encrypt) : object;
}

function encryptDictionary(dictionary: PDFDict, encrypt: (part: PDFObject) => PDFObject): PDFDict {
  const entries = dictionary.entries().map(([key, value]): [PDFName, PDFObject] => [key, encrypt(value)]);
  return PDFDict.fromMapWithContext(new Map(entries), dictionary.context);
}
