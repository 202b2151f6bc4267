import { parsePdfRequest, type PdfRequest } from '#pdf/request';
import type { BodyFormat } from '../wire/json/body-format.ts';

const MIB = 1024 * 1024;
/**
 * The longest valid body: every byte of html, css, header and footer escaped as \u00XX, and room for the
 * rest.
 */
export const MAX_PDF_BODY_BYTES = 6 * (5 * MIB + 3 * 512 * 1024) + 64 * 1024;

/**
 * The members of a valid body are flat. Up to these counts, wrong types and unknown members get the error
 * that names them.
 */
const FLAT = { depth: 64, values: 10_000 };

/** The body of POST /v1/pdf/generate. */
export const PDF_BODY: BodyFormat<PdfRequest> = {
  name: 'generatePdf',
  maxBytes: MAX_PDF_BODY_BYTES,
  limits: {
    members: 131_072,
    byMember: {
      html: { ...FLAT, code: 'missing_html' },
      page_size: { ...FLAT, code: 'invalid_page_size' },
    },
    others: FLAT,
    notObject: 'missing_html',
  },
  parse: parsePdfRequest,
  measure: ({ htmlBytes, css, headerHtml, footerHtml }) =>
    [css, headerHtml, footerHtml].reduce((bytes, text) => bytes + (text?.length ?? 0), htmlBytes),
};
