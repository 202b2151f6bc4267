import {
  MAX_ATTACHED_BYTES,
  MAX_HTML_BYTES,
  MAX_INVOICE_BYTES,
  parsePdfRequest,
  PDF_OPTIONS,
  type PdfRequest,
} from '#pdf/request';
import { getProperty, type OptionRow } from '#options';
import type { BodyFormat } from '../wire/json/body-format.ts';

const MIB = 1024 * 1024;
const KIB = 1024;
/** The longest spelling of a byte of a text: \u00XX. */
const ESCAPE_BYTES = 6;
/** The texts besides html, such as css, by their properties. */
const TEXTS = Object.entries<OptionRow>(PDF_OPTIONS).filter(([, { maxBytes }]) => maxBytes !== undefined);
const MAX_TEXTS_BYTES = TEXTS.reduce((sum, [, { maxBytes = 0 }]) => sum + maxBytes, 0);
/** JSON of the data of templates. */
const MAX_DATA_BYTES = MIB;

/** The longest valid body without the members that few requests have: all of its texts escaped. */
export const MAX_PLAIN_PDF_BODY_BYTES = ESCAPE_BYTES * (MAX_HTML_BYTES + MAX_TEXTS_BYTES) + 64 * KIB;

/** Bytes of the members that have a budget of their own, each with room for its names and white space. */
const LARGE_MEMBERS = {
  attachments: 4 * Math.ceil(MAX_ATTACHED_BYTES / 3) + 512 * KIB,
  data: ESCAPE_BYTES * MAX_DATA_BYTES + 64 * KIB,
  facturx: ESCAPE_BYTES * MAX_INVOICE_BYTES + 64 * KIB,
};

/** The longest valid body. */
export const MAX_PDF_BODY_BYTES =
  MAX_PLAIN_PDF_BODY_BYTES + LARGE_MEMBERS.attachments + LARGE_MEMBERS.data + LARGE_MEMBERS.facturx;

/** Up to these counts, wrong types and unknown members get the error that names them. */
const VALUES = { depth: 64, values: 10_000 };

/** The body of POST /v1/pdf/generate. */
export const PDF_BODY: BodyFormat<PdfRequest> = {
  name: 'generatePdf',
  maxBytes: MAX_PDF_BODY_BYTES,
  limits: {
    bytes: MAX_PLAIN_PDF_BODY_BYTES,
    members: 131_072,
    byMember: {
      html: { ...VALUES, code: 'missing_html' },
      page_size: { ...VALUES, code: 'invalid_page_size' },
      more_documents: VALUES,
      attachments: { ...VALUES, bytes: LARGE_MEMBERS.attachments },
      data: { depth: 64, values: 20_000, bytes: LARGE_MEMBERS.data },
      facturx: { ...VALUES, bytes: LARGE_MEMBERS.facturx },
    },
    others: VALUES,
    notObject: 'missing_html',
  },
  parse: parsePdfRequest,
  measure: measureRequest,
  listBuffers: ({ attachments }) => attachments.map(({ bytes }) => bytes.buffer as ArrayBuffer),
};

function measureRequest(request: PdfRequest): number {
  const { moreDocuments, watermark, invoice, attachments, template } = request;
  const texts = TEXTS.map(([name, row]) => request[getProperty(name, row) as keyof PdfRequest]);
  const sizes = [
    ...[request, ...moreDocuments].map(({ htmlBytes }) => htmlBytes),
    ...[...texts, watermark?.html, invoice?.xml].map((text) => (typeof text === 'string' ? text.length : 0)),
    ...attachments.map(({ bytes }) => bytes.length),
    // Its values are not counted one by one.
    template === null ? 0 : MAX_DATA_BYTES,
  ];
  return sizes.reduce((sum, size) => sum + size, 0);
}
