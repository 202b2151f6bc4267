import { createCipheriv, randomBytes } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib';
import type { Encryption } from './finishing.ts';

/** Encrypts a string or a stream under the key of a file. Returns the parts of the result. */
export type Encrypt = (bytes: Uint8Array) => Buffer[];

/**
 * Adds the encryption dictionary of AES-256 (ISO 32000-2 §7.6.4, revision 6) to a PDF. Returns the function
 * that encrypts its strings and streams, all of them: the library leaves strings as they are, and its AES is
 * JavaScript.
 */
export function encryptPdf(pdf: PDFDocument, { password, ownerPassword, permissions }: Encryption): Encrypt {
  const may = new Set(permissions);
  pdf.encrypt({
    ...(password !== null && { userPassword: password }),
    ...(ownerPassword !== null && { ownerPassword }),
    permissions: {
      printing: may.has('print_high_quality') ? 'highResolution' : may.has('print'),
      modifying: may.has('modify'),
      copying: may.has('copy'),
      annotating: may.has('annotate'),
      fillingForms: may.has('fill_forms'),
      documentAssembly: may.has('assemble'),
      // For people who cannot see the text.
      contentAccessibility: true,
    },
  });
  const key = pdf.context.security?.['encryptionKey'];
  if (key === undefined) throw new TypeError('the library has no key of the file');
  return (bytes) => {
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    return [iv, cipher.update(bytes), cipher.final()];
  };
}

/**
 * Encrypts the strings of an object that is written outside of object streams, such as the dictionary of a
 * stream: readers decrypt each of them. Returns a copy.
 */
export function encryptStrings(object: PDFObject, encrypt: Encrypt): PDFObject {
  if (object instanceof PDFString || object instanceof PDFHexString)
    return PDFHexString.of(Buffer.concat(encrypt(object.asBytes())).toString('hex'));
  if (!(object instanceof PDFArray || object instanceof PDFDict)) return object;
  const copy = object.clone();
  if (copy instanceof PDFDict)
    for (const [key, value] of copy.entries()) copy.set(key, encryptStrings(value, encrypt));
  else for (const [index, item] of copy.asArray().entries()) copy.set(index, encryptStrings(item, encrypt));
  return copy;
}
