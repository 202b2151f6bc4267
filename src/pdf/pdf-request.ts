import { ApiError } from '#errors';
import type { Finishing } from './finish/finishing.ts';
import { checkAttachedSize } from './request/attachment-members.ts';
import { checkNoUnknownMembers } from './request/check-members.ts';
import {
  checkDataSize,
  checkPageSizes,
  checkTemplate,
  parseDocument,
  parseHtmls,
  parseMoreDocuments,
  parseTemplate,
  parseWatermark,
} from './request/document-members.ts';
import {
  parseFilename,
  parseFinishing,
  parseLanguage,
  parseLine,
  parseNow,
} from './request/finishing-members.ts';
import { checkInvoiceSize } from './request/invoice-members.ts';
import { MAX_TEXT_BYTES } from './request/limits.ts';
import {
  checkTextSize,
  parseBaseUrl,
  parseBoolean,
  parseOneOf,
  parsePageRanges,
  parseScale,
  parseText,
  type Body,
} from './request/members.ts';
import type { PdfDocument, Template, Watermark } from './request/request-parts.ts';
import { parseWaitFor, parseWaitForExpression, type WaitFor } from './request/wait-members.ts';

export { INVOICE_PROFILES, PERMISSIONS } from './finish/finishing.ts';
export {
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENT_CHARACTERS,
  MAX_ATTACHMENTS,
  MAX_CHARACTERS,
  MAX_HTML_BYTES,
  MAX_INVOICE_BYTES,
  MAX_KEYWORDS,
  MAX_MORE_DOCUMENTS,
  MAX_TEXT_BYTES,
  MAX_WAIT_MS,
} from './request/limits.ts';
export type { PdfDocument, Template, Watermark } from './request/request-parts.ts';

/** A validated request: its first document, and what applies to all. */
export interface PdfRequest extends PdfDocument, Finishing {
  /** The documents that follow in the same PDF. What one leaves out is as in the request. */
  moreDocuments: readonly PdfDocument[];
  css: string | null;
  headerHtml: string | null;
  footerHtml: string | null;
  /** Replace the header and the footer on the first page. Null: all pages have the same. */
  firstHeaderHtml: string | null;
  firstFooterHtml: string | null;
  watermark: Watermark | null;
  /** Null: the texts are as they were sent. */
  template: Template | null;
  scale: number;
  pageRanges: string | null;
  printBackground: boolean;
  media: 'print' | 'screen';
  baseUrl: string | null;
  javascript: boolean;
  waitFor: WaitFor | null;
  /** JavaScript; the render waits until it is truthy. */
  waitForExpression: string | null;
  /** The time that the document's clock starts at and that the PDF names, in milliseconds since 1970. */
  now: number | null;
  /** The date that headers and footers print: that of `now` as it is written. Null: that of the render. */
  date: string | null;
  tagged: boolean;
  outline: boolean;
  /** The PDF's title. Null: that of the document. */
  title: string | null;
  /** The PDF's language, as a canonical BCP 47 tag. Null: that of the document. */
  language: string | null;
  /** Any warning is an error. */
  strict: boolean;
  /** For Content-Disposition; always ends in `.pdf`. */
  filename: string;
}

export interface GeneratedPdf {
  pdf: Uint8Array;
  pages: number;
  /**
   * `static`: in a page that its API key may have used before; `fresh`: in a page of its own. For logs and
   * metrics.
   */
  lane: 'static' | 'fresh';
  /** The faults of the PDF, a sentence each: printable ASCII, at most 200 characters. */
  warnings: string[];
}

/** Texts of at most MAX_TEXT_BYTES each. */
const TEXTS = [
  'css',
  'header_html',
  'footer_html',
  'first_header_html',
  'first_footer_html',
  'watermark_html',
] as const;

/** The members that a request body may have. */
export const MEMBERS: ReadonlySet<string> = new Set(
  [
    'html more_documents page_size page_width page_height orientation margin_top margin_bottom margin_left margin_right',
    'header_html footer_html first_header_html first_footer_html watermark_html watermark_position css template data',
    'outline scale page_ranges print_background media base_url javascript wait_for wait_for_expression now strict',
    'tagged title author subject keywords lang attachments password owner_password permissions pdfa facturx filename',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Parses a request body. `null` in an optional member means absent. Throws ApiError; if several members are
 * wrong, in this order: missing_html, payload_too_large, invalid_page_size, invalid_parameter.
 */
export function parsePdfRequest(body: Body): PdfRequest {
  const [html, ...moreHtml] = parseHtmls(body);
  for (const name of TEXTS) checkTextSize(body, name, MAX_TEXT_BYTES);
  checkInvoiceSize(body);
  checkAttachedSize(body);
  checkDataSize(body);
  checkPageSizes(body);
  checkNoUnknownMembers(body, MEMBERS);
  const request: PdfRequest = {
    ...parseDocument(body, html),
    moreDocuments: parseMoreDocuments(body, moreHtml),
    ...parseTexts(body),
    ...parsePrinting(body),
    ...parseFinishing(body),
  };
  checkExpressionCanRun(request);
  return request;
}

/** Parses the texts on the pages, besides the documents. */
function parseTexts(
  body: Body,
): Pick<
  PdfRequest,
  'css' | 'headerHtml' | 'footerHtml' | 'firstHeaderHtml' | 'firstFooterHtml' | 'watermark' | 'template'
> {
  return {
    css: parseText(body, 'css'),
    headerHtml: parseTemplateText(body, 'header_html'),
    footerHtml: parseTemplateText(body, 'footer_html'),
    firstHeaderHtml: parseTemplateText(body, 'first_header_html'),
    firstFooterHtml: parseTemplateText(body, 'first_footer_html'),
    watermark: parseWatermark(body),
    template: parseTemplate(body),
  };
}

function parseTemplateText(body: Body, name: string): string | null {
  const text = parseText(body, name);
  checkTemplate(name, text);
  return text;
}

/** Parses what decides how the documents are printed, and what the PDF is called. */
function parsePrinting(
  body: Body,
): Omit<PdfRequest, keyof (PdfDocument & Finishing & ReturnType<typeof parseTexts>) | 'moreDocuments'> {
  return {
    scale: parseScale(body) ?? 1,
    pageRanges: parsePageRanges(body),
    printBackground: parseBoolean(body, 'print_background') ?? true,
    media: parseOneOf(body, 'media', ['print', 'screen']) ?? 'print',
    baseUrl: parseBaseUrl(body),
    javascript: parseBoolean(body, 'javascript') ?? true,
    waitFor: parseWaitFor(body),
    waitForExpression: parseWaitForExpression(body),
    ...parseNow(body),
    tagged: parseBoolean(body, 'tagged') ?? false,
    outline: parseBoolean(body, 'outline') ?? false,
    title: parseLine(body, 'title'),
    language: parseLanguage(body),
    strict: parseBoolean(body, 'strict') ?? false,
    filename: parseFilename(body) ?? 'document.pdf',
  };
}

function checkExpressionCanRun({ waitForExpression, javascript }: PdfRequest): void {
  if (waitForExpression === null || javascript) return;
  throw new ApiError(
    'invalid_parameter',
    'wait_for_expression needs scripts: leave out javascript, or send true.',
    { param: 'wait_for_expression' },
  );
}
