/** The request of generatePdf: parsed from a JSON body by the table of options. */
import { checkAttachedSize, checkInvoiceName } from './request/attachment-members.ts';
import { ALIASES } from './request/foreign-names.ts';
import { parseDocuments, type PdfDocument } from './request/document-members.ts';
import { checkMayEncrypt } from './request/option-members.ts';
import { type Body, checkNoUnknownOptions, parseAll, parseOptions, throwInvalid } from '#options';
import { PDF_OPTIONS, type PdfOptionValues } from './request/pdf-options.ts';

export { MAX_ATTACHED_BYTES, MAX_INVOICE_BYTES } from './request/attachment-members.ts';
export { MAX_HTML_BYTES, type PdfDocument } from './request/document-members.ts';
export { PDF_OPTIONS } from './request/pdf-options.ts';
export type { Template, Watermark } from './request/template-members.ts';

/**
 * A validated request: its first document, and what applies to all. An option that is absent and has no
 * default is null; what that means is in the description of its row.
 */
export interface PdfRequest extends PdfDocument, PdfOptionValues {
  /** The documents that follow in the same PDF. What one leaves out is as in the request. */
  moreDocuments: readonly PdfDocument[];
  /** The date that headers and footers print: the date of `now` as written. Null: today, in UTC. */
  date: string | null;
}

/**
 * Parses a request body. `null` in an optional member means absent. Throws ApiError; if several members are
 * wrong, in this order: missing_html, payload_too_large, invalid_page_size, invalid_parameter.
 */
export function parsePdfRequest(body: Body): PdfRequest {
  const [, , documents, options] = parseAll(
    () => checkAttachedSize(body),
    () => checkNoUnknownOptions(body, PDF_OPTIONS, { aliases: ALIASES }),
    () => parseDocuments(body, PDF_OPTIONS.more_documents),
    () => parseOptions(body, PDF_OPTIONS),
  );
  const [first, ...moreDocuments] = documents;
  const request: PdfRequest = {
    ...first,
    ...options,
    moreDocuments,
    // `now` is valid: it begins with its date.
    date: typeof body['now'] === 'string' ? body['now'].slice(0, 10) : null,
  };
  // An electronic invoice implies PDF/A.
  if (request.invoice !== null) request.pdfa = '3b';
  checkInvoiceName(request.invoice, request.attachments);
  if (request.pdfa !== null)
    checkMayEncrypt(request.encryption, request.invoice === null ? 'pdfa' : 'facturx');
  checkExpressionCanRun(request);
  return request;
}

function checkExpressionCanRun({ waitForExpression, javascript }: PdfRequest): void {
  if (waitForExpression === null || javascript) return;
  throwInvalid(
    'wait_for_expression',
    'wait_for_expression needs scripts: leave out javascript, or send true.',
  );
}
