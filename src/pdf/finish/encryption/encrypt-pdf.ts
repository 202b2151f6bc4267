import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib';
import type { Encryption } from '../finishing.ts';
import { type SecurityHandler, createSecurityHandler, encryptBytes } from './security-handler.ts';

/** The revision of the security handler is an extension of PDF 1.7, which its catalog declares. */
const EXTENSION_LEVEL = 8;

/** The encryption dictionary of a PDF, and the key that encrypts its strings and streams. */
export interface FileEncryption {
  dictionary: PDFDict;
  fileKey: Buffer;
}

/** Prepares the encryption of a PDF: all of it, metadata and attachments too. */
export function encryptPdf(pdf: PDFDocument, encryption: Encryption): FileEncryption {
  const { context, catalog } = pdf;
  const extension = { BaseVersion: '1.7', ExtensionLevel: EXTENSION_LEVEL };
  catalog.set(PDFName.of('Extensions'), context.obj({ ADBE: extension }));
  const handler = createSecurityHandler(encryption);
  return { dictionary: createDictionary(pdf, handler), fileKey: handler.fileKey };
}

function createDictionary({ context }: PDFDocument, handler: SecurityHandler): PDFDict {
  const { user, owner, permissions, encryptedPermissions } = handler;
  const toString = (bytes: Buffer): PDFHexString => PDFHexString.of(bytes.toString('hex'));
  return context.obj({
    Filter: 'Standard',
    V: 5,
    R: 6,
    Length: 256,
    CF: { StdCF: { CFM: 'AESV3', AuthEvent: 'DocOpen', Length: 32 } },
    StmF: 'StdCF',
    StrF: 'StdCF',
    U: toString(user.validation),
    UE: toString(user.wrappedKey),
    O: toString(owner.validation),
    OE: toString(owner.wrappedKey),
    P: permissions,
    Perms: toString(encryptedPermissions),
    EncryptMetadata: true,
  });
}

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
