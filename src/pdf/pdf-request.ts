import { ApiError } from '#errors';
import { NO_FINISHING, type Finishing } from './finish/finishing.ts';
import { checkNoUnknownMembers } from './request/check-members.ts';
import { checkTemplate } from './request/check-template.ts';
import {
  checkTextSize,
  parseBaseUrl,
  parseBoolean,
  parseOneOf,
  parsePageRanges,
  parseScale,
  parseText,
} from './request/members.ts';
import { parseFilename, parseLanguage, parseNow, parseTitle } from './request/metadata-members.ts';
import {
  DEFAULT_MARGIN_TEXTS,
  DEFAULT_MARGINS,
  DEFAULT_SHEET,
  findCrampedSides,
  PAGE_SIZES,
  SIDES,
  type PageSize,
  type Sheet,
  type Side,
} from './request/page-geometry.ts';
import { parseMargin, parseSheet } from './request/sheet-members.ts';
import { parseWaitFor, parseWaitForExpression, type WaitFor } from './request/wait-members.ts';

export const MAX_HTML_BYTES = 5_242_880;
const MAX_TEXT_BYTES = 524_288;

/** A document of a request, and its sheet. Lengths are CSS pixels (1/96 in). */
export interface PdfDocument {
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
  /** Null: the document's @page rule decides, and without one it is DEFAULT_SHEET. */
  sheet: Sheet | null;
  /** Null: the document's @page rule decides, and without one it is DEFAULT_MARGINS. */
  margins: Record<Side, number | null>;
}

/** A watermark: HTML that is printed on a whole sheet, behind or over the content of every page. */
export interface Watermark {
  html: string;
  position: 'behind' | 'over';
}

/** The template language of a request, and the data that its templates are filled with. */
export interface Template {
  language: 'liquid';
  data: Record<string, unknown>;
}

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

export { MAX_CHARACTERS, MAX_WAIT_MS } from './request/limits.ts';

/** The members that a request body may have. */
export const MEMBERS: ReadonlySet<string> = new Set(
  [
    'html page_size page_width page_height orientation margin_top margin_bottom margin_left margin_right header_html footer_html css',
    'tagged outline scale page_ranges print_background media base_url javascript wait_for wait_for_expression now strict lang title filename',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Parses a request body. `null` in an optional member means absent. Throws ApiError; if several members are
 * wrong, in this order: missing_html, payload_too_large, invalid_page_size, invalid_parameter.
 */
export function parsePdfRequest(body: Record<string, unknown>): PdfRequest {
  const html = parseHtml(body['html']);
  for (const name of ['css', 'header_html', 'footer_html']) checkTextSize(body, name, MAX_TEXT_BYTES);
  const pageSize = parsePageSize(body['page_size']);
  checkNoUnknownMembers(body, MEMBERS);
  const request: PdfRequest = {
    ...html,
    css: parseText(body, 'css'),
    headerHtml: parseText(body, 'header_html'),
    footerHtml: parseText(body, 'footer_html'),
    sheet: parseSheet(body, pageSize),
    margins: {
      top: parseMargin(body, 'margin_top'),
      bottom: parseMargin(body, 'margin_bottom'),
      left: parseMargin(body, 'margin_left'),
      right: parseMargin(body, 'margin_right'),
    },
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
    title: parseTitle(body),
    language: parseLanguage(body),
    strict: parseBoolean(body, 'strict') ?? false,
    filename: parseFilename(body) ?? 'document.pdf',
    moreDocuments: [],
    firstHeaderHtml: null,
    firstFooterHtml: null,
    watermark: null,
    template: null,
    ...NO_FINISHING,
  };
  checkContentArea(request);
  checkExpressionCanRun(request);
  checkTemplate('header_html', request.headerHtml);
  checkTemplate('footer_html', request.footerHtml);
  return request;
}

function parseHtml(value: unknown): { html: string; htmlBytes: number } {
  if (typeof value !== 'string' || value.trim() === '')
    throw new ApiError('missing_html', undefined, { param: 'html' });
  const htmlBytes = Buffer.byteLength(value, 'utf8');
  if (htmlBytes > MAX_HTML_BYTES)
    throw new ApiError(
      'payload_too_large',
      'html may have at most 5 MiB (5,242,880 bytes of UTF-8): send a smaller document.',
      { param: 'html' },
    );
  return { html: value, htmlBytes };
}

function parsePageSize(value: unknown): PageSize | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !Object.hasOwn(PAGE_SIZES, value)) {
    throw new ApiError('invalid_page_size', undefined, { param: 'page_size' });
  }
  return value as PageSize;
}

function checkExpressionCanRun({ waitForExpression, javascript }: PdfRequest): void {
  if (waitForExpression === null || javascript) return;
  throw new ApiError(
    'invalid_parameter',
    'wait_for_expression needs scripts: leave out javascript, or send true.',
    { param: 'wait_for_expression' },
  );
}

function checkContentArea(request: PdfRequest): void {
  const margins = Object.fromEntries(
    SIDES.map((side) => [side, request.margins[side] ?? DEFAULT_MARGINS[side]]),
  ) as Record<Side, number>;
  const cramped = findCrampedSides(request.sheet ?? DEFAULT_SHEET, margins);
  if (!cramped) return;
  const [first, second] = cramped;
  const format = (side: Side): string =>
    `margin_${side}${request.margins[side] === null ? ` (${DEFAULT_MARGIN_TEXTS[side]} by default)` : ''}`;
  const wider = margins[first] >= margins[second] ? first : second;
  const named = request.margins[wider] === null ? (wider === first ? second : first) : wider;
  throw new ApiError(
    'invalid_parameter',
    `${format(first)} and ${format(second)} leave less than 10 mm of the page between them: send smaller margins.`,
    {
      param: `margin_${named}`,
    },
  );
}
