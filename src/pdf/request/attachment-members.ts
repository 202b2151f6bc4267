/** The files that a request puts into its PDF: attachments and the XML of an electronic invoice. */
import {
  type Attachment,
  type ElectronicInvoice,
  INVOICE_PROFILES,
  type InvoiceProfile,
} from '../finish/finishing.ts';
import { parseNotBlank } from './option-members.ts';
import {
  type Body,
  getMember,
  isObject,
  type MemberRow,
  parseLine,
  parseName,
  type ParsedOptions,
  type Rules,
  throwInvalid,
} from '#options';

/** Bytes of all attached files together. */
export const MAX_ATTACHED_BYTES = 20 * 1024 * 1024;

/** ISO 32000-2, table 43. */
const RELATIONSHIPS = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'] as const;

/**
 * RFC 6838 §4.2, without parameters: the PDF names a type, not a charset. No type has the other characters
 * that it allows, and validators of PDF/A (ISO 19005-3 §6.8 and §6.1.13) refuse them and longer names.
 */
const MEDIA_TYPE = /^(?=.{1,127}$)[a-z0-9][-\w+.]*\/[a-z0-9][-\w+.]*$/i;

/** The options of each of `attachments`. */
export const ATTACHMENT_OPTIONS = {
  name: {
    type: 'string',
    required: true,
    maxLength: 200,
    parse: parseName,
    expected:
      'a file name of 1 to {max} characters without slashes or control characters, such as "data.csv"',
    description: 'The file name, without slashes. No two may be equal, whatever their case.',
    example: 'rows.csv',
  },
  media_type: {
    type: 'string',
    default: 'application/octet-stream',
    parse: (text: string) => (MEDIA_TYPE.test(text) ? text.toLowerCase() : null),
    expected: 'a media type without parameters, such as "text/csv"',
    description: 'The media type, without parameters.',
    example: 'text/csv',
  },
  relationship: {
    type: 'string',
    enum: ['source', 'data', 'alternative', 'supplement', 'unspecified'],
    default: 'unspecified',
    parse: (text: string) => RELATIONSHIPS.find((one) => one.toLowerCase() === text.toLowerCase()) ?? null,
    description: 'The relationship of the file to the document (AFRelationship); case does not matter.',
    example: 'data',
  },
  description: {
    type: 'string',
    maxLength: 1_000,
    parse: parseLine,
    expected: 'a text of 1 to {max} characters in one line, without control characters',
    description: 'A description for readers, in one line.',
    example: 'The rows of the table',
  },
  base64: {
    type: 'string',
    required: true,
    property: 'bytes',
    contentEncoding: 'base64',
    parse: parseBytes,
    expected: "the file's bytes in base64 (RFC 4648), padded with =, without white space or line breaks",
    description: 'The bytes in base64 (RFC 4648): padded, without white space.',
    example: 'YTtiCg==',
  },
} as const satisfies Record<string, MemberRow>;

/** Checks the size of all attached files together, before any is decoded. Throws `payload_too_large`. */
export function checkAttachedSize(body: Body): void {
  const items = getMember(body, 'attachments');
  if (!Array.isArray(items)) return;
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const text = isObject(item) ? item['base64'] : undefined;
    if (typeof text === 'string') bytes += Buffer.byteLength(text, 'base64');
    if (bytes > MAX_ATTACHED_BYTES)
      throwInvalid(
        `attachments[${index}].base64`,
        `attachments may have at most 20 MiB (${MAX_ATTACHED_BYTES.toLocaleString('en')} bytes, decoded) together: send smaller files.`,
        'payload_too_large',
      );
  }
}

function parseBytes(text: string, _row: Rules, param: string): Uint8Array | null {
  if (/^data:/i.test(text))
    throwInvalid(
      param,
      `${param} must be the bytes alone: it is a data: URL, so send what follows its comma.`,
    );
  return parseBase64(text);
}

/**
 * Decodes base64 (RFC 4648 §4: padded, without white space, and with zeros in the spare bits of its end) into
 * memory of its own, which can be transferred. Returns null if a character is wrong.
 */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Buffer.byteLength(text, 'base64'));
  const buffer = Buffer.from(bytes.buffer);
  const length = buffer.write(text, 'base64');
  // Other spellings of the same bytes differ from the one that encoding them gives.
  return length === bytes.length && buffer.toString('base64') === text ? bytes : null;
}

/** Checks that no two names are one on a system that ignores case. */
export function parseAttachments(
  attachments: readonly ParsedOptions<typeof ATTACHMENT_OPTIONS>[],
  _row: Rules,
  member: string,
): readonly Attachment[] {
  const keys = attachments.map(({ name }) => toNameKey(name));
  const again = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (again >= 0)
    throwInvalid(
      `${member}[${again}].name`,
      `${member}[${again}].name is the name of another attachment: names must differ in more than case.`,
    );
  return attachments;
}

/** Returns the form in which names are compared. */
function toNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** UTF-8 bytes of the XML of an invoice. */
export const MAX_INVOICE_BYTES = 5_242_880;

export const INVOICE_OPTIONS = {
  xml: {
    type: 'string',
    required: true,
    maxBytes: MAX_INVOICE_BYTES,
    parse: parseNotBlank,
    expected: 'the XML of the invoice, as a string',
    description:
      'The XML of the invoice, at most 5 MiB. It has no DTD, and its guideline is that of the profile.',
    example: '<?xml version="1.0"?><rsm:CrossIndustryInvoice …',
    flag: { name: 'facturx', summary: 'XML of the electronic invoice to attach', isFile: true },
    control: { label: 'Invoice XML', hint: 'Factur-X, ZUGFeRD or XRechnung (CII)', isCode: true },
  },
  profile: {
    type: 'string',
    required: true,
    enum: INVOICE_PROFILES,
    parse: parseProfile,
    description: 'The profile; case and spaces do not matter.',
    example: 'EN 16931',
    flag: {
      name: 'facturx-profile',
      summary: 'The profile of the invoice, such as EN16931',
      placeholder: 'name',
      hasOtherSpellings: true,
    },
    control: { label: 'Profile' },
  },
} as const satisfies Record<string, MemberRow>;

/** Returns the invoice, whose XML is checked in the job of its document: it may take 0.4 s. */
export function parseInvoice(invoice: ParsedOptions<typeof INVOICE_OPTIONS>): ElectronicInvoice {
  return { ...invoice, guideline: null };
}

/** Spaces and case do not matter: `en16931` is `EN 16931`. */
function parseProfile(text: string): InvoiceProfile | null {
  const toKey = (profile: string): string => profile.replace(/[\s_-]+/g, '').toUpperCase();
  if (text.length > 100) return null;
  return INVOICE_PROFILES.find((profile) => toKey(profile) === toKey(text)) ?? null;
}

/** Checks that no other file in the PDF has the name of the invoice. Throws `invalid_parameter`. */
export function checkInvoiceName(
  invoice: ElectronicInvoice | null,
  attachments: readonly Attachment[],
): void {
  if (invoice === null) return;
  const name = invoice.profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml';
  const index = attachments.findIndex((attachment) => toNameKey(attachment.name) === name);
  if (index >= 0)
    throwInvalid(
      `attachments[${index}].name`,
      `attachments[${index}].name must not be ${name}: the PDF attaches the XML of facturx by this name.`,
    );
}
