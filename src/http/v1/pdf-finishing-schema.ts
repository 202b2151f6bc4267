/** The schemas of the members that change a PDF after it was printed. */
import {
  INVOICE_PROFILES,
  MAX_ATTACHMENTS,
  MAX_ATTACHMENT_CHARACTERS,
  MAX_CHARACTERS,
  MAX_KEYWORDS,
  PERMISSIONS,
} from '#pdf/request';
import { Type } from 'typebox';
import { choice, strict } from '../schema.ts';

const line = (name: 'author' | 'subject', example: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS[name],
      examples: [example],
      description: `The PDF's ${name}, in one line.`,
    }),
  );

const attachment = strict(
  {
    name: Type.String({
      maxLength: MAX_ATTACHMENT_CHARACTERS.name,
      examples: ['rows.csv'],
      description: 'The file name, without slashes. No two may be equal, whatever their case.',
    }),
    media_type: Type.Optional(
      Type.String({
        default: 'application/octet-stream',
        examples: ['text/csv'],
        description: 'The media type, without parameters.',
      }),
    ),
    base64: Type.String({
      contentEncoding: 'base64',
      examples: ['YTtiCg=='],
      description: 'The bytes in base64 (RFC 4648): padded, without white space.',
    }),
    relationship: Type.Optional(
      choice(['source', 'data', 'alternative', 'supplement', 'unspecified'], {
        default: 'unspecified',
        examples: ['data'],
        description: 'The relationship of the file to the document (AFRelationship); case does not matter.',
      }),
    ),
    description: Type.Optional(
      Type.String({
        maxLength: MAX_ATTACHMENT_CHARACTERS.description,
        examples: ['The rows of the table'],
        description: 'A description for readers, in one line.',
      }),
    ),
  },
  { title: 'PdfAttachment', description: 'A file inside the PDF.' },
);

const facturx = strict(
  {
    xml: Type.String({
      examples: ['<?xml version="1.0"?><rsm:CrossIndustryInvoice …'],
      description:
        'The XML of the invoice, at most 5 MiB. It has no DTD, and its guideline is that of the profile.',
    }),
    profile: choice(INVOICE_PROFILES, {
      examples: ['EN 16931'],
      description: 'The profile; case and spaces do not matter.',
    }),
  },
  {
    title: 'PdfInvoice',
    examples: [{ xml: '<?xml version="1.0"?><rsm:CrossIndustryInvoice …', profile: 'EN 16931' }],
    description:
      'An electronic invoice (Factur-X, ZUGFeRD, XRechnung): the PDF is PDF/A-3b and has the XML as factur-x.xml or xrechnung.xml.',
  },
);

const password = (description: string, example: string) =>
  Type.Optional(Type.String({ examples: [example], description }));

export const finishingMembers = {
  author: line('author', 'Example Ltd'),
  subject: line('subject', 'Invoice for May'),
  keywords: Type.Optional(
    // One type list and no union: every generator reads it.
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string' },
      maxItems: MAX_KEYWORDS,
      examples: [['invoice', '2026']],
      description:
        "The PDF's keywords: an array, or a text that separates them with commas; at most 4,000 characters together.",
    }),
  ),
  attachments: Type.Optional(
    Type.Array(attachment, {
      maxItems: MAX_ATTACHMENTS,
      examples: [[{ name: 'rows.csv', media_type: 'text/csv', base64: 'YTtiCg==', relationship: 'data' }]],
      description: 'Files inside the PDF, at most 20 MiB together.',
    }),
  ),
  password: password(
    'The PDF opens with this password only (AES-256): 1 to 127 bytes of UTF-8. Not in PDF/A.',
    'open sesame',
  ),
  owner_password: password(
    'The password that lifts permissions: 1 to 127 bytes of UTF-8, other than password. Not in PDF/A.',
    'correct horse',
  ),
  permissions: Type.Optional(
    Type.Array(choice(PERMISSIONS), {
      examples: [['print', 'copy']],
      description: 'Everything that is allowed without owner_password; all by default. Needs owner_password.',
    }),
  ),
  pdfa: Type.Optional(
    choice(['3b'], {
      examples: ['3b'],
      description: 'The PDF conforms to PDF/A-3b (ISO 19005-3), for archives.',
    }),
  ),
  facturx: Type.Optional(facturx),
};
