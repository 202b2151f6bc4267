/** The options of generatePdf. Faults are reported in the order of the rows. */
import type { PropertyName, SentValue } from '#options';
import { PERMISSIONS } from '../finish/finishing.ts';
import { ATTACHMENT_OPTIONS, MAX_ATTACHMENTS, parseAttachments } from './attachment-members.ts';
import { DOCUMENT_OPTIONS, MAX_MORE_DOCUMENTS } from './document-members.ts';
import {
  MAX_KEYWORDS,
  parseEncryption,
  parseFilename,
  parseKeywords,
  parseLanguageTag,
  parseLine,
  parseNow,
  parsePdfa,
  parseTimezone,
} from './finishing-members.ts';
import { INVOICE_OPTIONS, parseInvoice } from './invoice-members.ts';
import type { PdfOptionRow } from './members.ts';
import {
  MAX_WAIT_MS,
  parseBaseUrl,
  parseExpression,
  parsePageRanges,
  parseScale,
  parseWaitFor,
} from './print-members.ts';
import { SHEET_OPTIONS } from './sheet-members.ts';
import { parseTemplate, parseTemplateText, parseWatermark } from './template-members.ts';

const TEXT = { type: 'string', maxBytes: 524_288 } as const;
const LINE = { type: 'string', maxLength: 1_000, parse: parseLine } as const;

const FILE = { placeholder: 'file', isFile: true } as const;
const PAGE = { group: 'Page and rendering' } as const;
const INFO = { group: 'Document info' } as const;
const SECRET = { group: 'Security', isSecret: true } as const;
const TEMPLATE = { group: 'Template' } as const;
const ARCHIVE = { group: 'Archive and e-invoice' } as const;
const FIRST_PAGE = { group: 'Watermark and first page', isCode: true } as const;

export const PDF_OPTIONS = {
  html: {
    type: 'string',
    required: true,
    parsedWith: 'documents',
    description:
      'HTML content to convert; at most 5 MiB (5,242,880 bytes of UTF-8), together with that of more_documents.',
    example: '<h1>Invoice 2026-117</h1>',
    control: { label: 'HTML', editor: 'html' },
  },
  more_documents: {
    type: 'array',
    maxItems: MAX_MORE_DOCUMENTS,
    parsedWith: 'documents',
    members: {
      title: 'PdfDocument',
      description:
        'A document that follows in the same PDF. A member that it leaves out is as in the request.',
      table: DOCUMENT_OPTIONS,
      isInherited: true,
    },
    description:
      'Documents that follow in the same PDF, each with a sheet and margins of its own. Each counts as one request.',
    example: [{ html: '<h1>Terms</h1>', page_size: 'A5' }],
    flag: {
      name: 'more',
      summary: 'HTML of one more document in the PDF; repeatable',
      ...FILE,
      isRepeatable: true,
    },
    control: {
      group: 'More documents',
      hint: 'Printed after the first into the same PDF',
      list: 'documents',
    },
  },
  ...SHEET_OPTIONS,
  css: {
    ...TEXT,
    description: 'Additional CSS, last in <head>. At most 512 KiB.',
    example: 'body { font: 11pt sans-serif }',
    flag: { summary: 'Additional CSS', ...FILE },
    control: { label: 'CSS', editor: 'css' },
  },
  header_html: {
    ...TEXT,
    parse: parseTemplateText,
    description:
      'HTML for the page header; {{page}}, {{pages}}, {{title}} and {{date}} are replaced. At most 512 KiB.',
    example: '<p>{{title}}</p>',
    flag: { name: 'header', summary: 'HTML of the page header', ...FILE },
    control: { label: 'Header', editor: 'html' },
  },
  footer_html: {
    ...TEXT,
    parse: parseTemplateText,
    description:
      'HTML for the page footer; {{page}} (current page number), {{pages}} (total pages), {{title}} and {{date}} are replaced. At most 512 KiB.',
    example: 'Page {{page}} of {{pages}}',
    flag: { name: 'footer', summary: 'HTML of the page footer: {{page}}, {{pages}}', ...FILE },
    control: { label: 'Footer', editor: 'html' },
  },
  first_header_html: {
    ...TEXT,
    parse: parseTemplateText,
    description:
      'HTML for the header of the first page, in place of header_html; an empty text for none. At most 512 KiB.',
    example: '',
    flag: { name: 'first-header', summary: 'HTML of the header of the first page', ...FILE },
    control: {
      ...FIRST_PAGE,
      label: 'Header of the first page',
      hint: 'In place of the header; empty for the same',
    },
  },
  first_footer_html: {
    ...TEXT,
    parse: parseTemplateText,
    description: 'HTML for the footer of the first page, in place of footer_html; as first_header_html.',
    example: '<p>Example Ltd, 1 Main Street</p>',
    flag: { name: 'first-footer', summary: 'HTML of the footer of the first page', ...FILE },
    control: {
      ...FIRST_PAGE,
      label: 'Footer of the first page',
      hint: 'In place of the footer; empty for the same',
    },
  },
  watermark_html: {
    ...TEXT,
    property: 'watermark',
    parse: parseWatermark,
    description: 'HTML on every page, printed on the whole sheet. At most 512 KiB.',
    example: '<p style="font-size: 90pt; color: #ccc">Draft</p>',
    flag: { name: 'watermark', summary: 'HTML on the whole sheet of every page', ...FILE },
    control: { ...FIRST_PAGE, label: 'Watermark', hint: 'HTML on the whole sheet of every page' },
  },
  watermark_position: {
    type: 'string',
    enum: ['behind', 'over'],
    default: 'behind',
    needs: 'watermark_html',
    parsedWith: 'watermark_html',
    description: 'Whether the watermark is behind or over the content.',
    example: 'over',
    flag: { summary: 'behind (by default) or over', placeholder: 'place' },
    control: {
      group: FIRST_PAGE.group,
      label: 'Watermark position',
      labels: { behind: 'Behind the content', over: 'Over the content' },
    },
  },
  template: {
    type: 'string',
    enum: ['liquid'],
    parse: parseTemplate,
    description: 'The language of the templates in html, headers, footers and watermark, which data fills.',
    example: 'liquid',
    flag: { summary: 'Fill the HTML with --data: liquid', placeholder: 'language' },
    control: { ...TEMPLATE, label: 'Fill the HTML with data (Liquid)' },
  },
  data: {
    type: 'object',
    additionalProperties: true,
    needs: 'template',
    parsedWith: 'template',
    description:
      'What templates are filled with: at most 10,000 values, 8 levels deep, 1 MiB of JSON. Needs template.',
    example: { customer: 'Ada Lovelace', total: 1240 },
    flag: { summary: 'JSON object that fills the templates', ...FILE },
    control: {
      ...TEMPLATE,
      label: 'Data',
      hint: 'A JSON object: {{ customer }} in the HTML prints its customer',
      isCode: true,
    },
  },
  scale: {
    type: 'number',
    minimum: 0.1,
    maximum: 2,
    default: 1,
    parse: parseScale,
    description: 'Scale of the content.',
    example: 0.8,
    flag: { summary: 'Scale of the content: 0.1 to 2', placeholder: 'factor' },
    control: { ...PAGE, label: 'Scale', hint: '0.1 to 2' },
  },
  page_ranges: {
    type: 'string',
    maxLength: 1_000,
    parse: parsePageRanges,
    description: 'Pages to print, like 1-3,5 or 4-; all by default.',
    example: '1-3,5',
    flag: { summary: 'Pages to print, such as 1-3,5', placeholder: 'ranges' },
    control: { ...PAGE, label: 'Pages', hint: '1-3,5; empty for all' },
  },
  print_background: {
    type: 'boolean',
    default: true,
    description: 'Whether backgrounds are printed.',
    example: false,
    flag: { name: 'no-background', summary: 'Print no backgrounds' },
    control: { label: 'Backgrounds' },
  },
  media: {
    type: 'string',
    enum: ['print', 'screen'],
    default: 'print',
    description: 'The CSS media type.',
    example: 'screen',
    flag: { summary: 'The CSS media type, print by default', placeholder: 'type' },
    control: { ...PAGE, label: 'Media', hint: 'The CSS media type' },
  },
  base_url: {
    type: 'string',
    maxLength: 4_096,
    parse: parseBaseUrl,
    description: 'The http(s) URL against which relative links are resolved.',
    example: 'https://example.com/invoices/',
    flag: { summary: 'Resolve relative links against this URL', placeholder: 'url' },
    control: { ...PAGE, label: 'Base URL', hint: 'For relative links' },
  },
  javascript: {
    type: 'boolean',
    default: true,
    description: 'Whether scripts run.',
    example: false,
    flag: { name: 'no-javascript', summary: 'Run no scripts' },
    control: { ...PAGE, label: 'Run scripts' },
  },
  wait_for: {
    type: 'string',
    maxLength: 1_000,
    accepts: 'integer',
    parse: parseWaitFor,
    description: `A CSS selector to wait for, or milliseconds of the document's own time to wait (at most ${MAX_WAIT_MS}), such as 500ms.`,
    example: '#chart svg',
    flag: { summary: 'Wait for an element, or for milliseconds', placeholder: 'selector|ms' },
    control: { ...PAGE, label: 'Wait for', hint: 'A CSS selector or milliseconds' },
  },
  wait_for_expression: {
    type: 'string',
    maxLength: 10_000,
    parse: parseExpression,
    description:
      'JavaScript to wait for: it is evaluated each time the document is idle, until it is truthy.',
    example: 'document.fonts.status === "loaded"',
    flag: { summary: 'Wait until this expression is truthy', placeholder: 'js' },
    control: { ...PAGE, label: 'Wait for expression', hint: 'For example window.ready' },
  },
  now: {
    type: 'string',
    format: 'date-time',
    parse: parseNow,
    description:
      "The time of the document's clock and of the PDF's dates (RFC 3339); the time of the request by default.",
    example: '2026-11-23T09:30:00Z',
    flag: { summary: 'The time of the document, such as 2026-11-23T09:30:00Z', placeholder: 'time' },
    control: { ...PAGE, label: 'Clock of the page', hint: '2026-11-21T09:30:00Z' },
  },
  timezone: {
    type: 'string',
    maxLength: 100,
    parse: parseTimezone,
    description:
      "The time zone of the document's clock, of {{date}} and of dates in templates: a name of the IANA database, such as Europe/Berlin; UTC by default.",
    example: 'Europe/Berlin',
    isInTools: false,
    flag: { summary: 'The time zone of the document, such as Europe/Berlin', placeholder: 'zone' },
    control: { ...PAGE, label: 'Time zone', hint: 'For example Europe/Berlin' },
  },
  tagged: {
    type: 'boolean',
    default: false,
    description: 'Whether the PDF is tagged for accessibility.',
    example: true,
    flag: { summary: 'Tag the PDF for accessibility' },
    control: { label: 'Tagged for screen readers' },
  },
  outline: {
    type: 'boolean',
    default: false,
    description: 'Whether the headings become bookmarks.',
    example: true,
    flag: { summary: 'Make bookmarks of the headings' },
    control: { label: 'Bookmarks' },
  },
  title: {
    ...LINE,
    description: "The PDF's title, in place of the document's.",
    example: 'Invoice 2026-117',
    flag: { summary: 'The title of the PDF', placeholder: 'text' },
    control: { ...INFO, label: 'Title', hint: 'In the window of the viewer' },
  },
  lang: {
    type: 'string',
    property: 'language',
    maxLength: 100,
    parse: parseLanguageTag,
    description:
      "The PDF's language (BCP 47), such as pt-BR; also that of a document that does not declare one.",
    example: 'pt-BR',
    flag: { summary: 'The language of the PDF, such as pt-BR', placeholder: 'tag' },
    control: { ...INFO, label: 'Language', hint: 'For example pt-BR' },
  },
  strict: {
    type: 'boolean',
    default: false,
    description: 'Whether warnings (see X-PDF-Warnings) are the error render_failed.',
    example: true,
    flag: { summary: 'Fail on warnings, such as an image that did not load' },
    control: { ...PAGE, label: 'Fail on warnings' },
  },
  filename: {
    type: 'string',
    maxLength: 200,
    parse: parseFilename,
    description:
      'The file name in Content-Disposition; document.pdf by default. .pdf is appended if it is missing.',
    example: 'invoice.pdf',
    flag: { summary: 'The file name in the response', placeholder: 'name' },
    control: { ...PAGE, label: 'File name', hint: 'For example invoice.pdf' },
  },
  attachments: {
    type: 'array',
    maxItems: MAX_ATTACHMENTS,
    parse: parseAttachments,
    members: { title: 'PdfAttachment', description: 'A file inside the PDF.', table: ATTACHMENT_OPTIONS },
    description: 'Files inside the PDF, at most 20 MiB together.',
    example: [{ name: 'rows.csv', media_type: 'text/csv', base64: 'YTtiCg==', relationship: 'data' }],
    flag: { name: 'attach', summary: 'A file inside the PDF; repeatable', ...FILE, isRepeatable: true },
    control: { ...INFO, label: 'Attach files', list: 'files' },
  },
  facturx: {
    type: 'object',
    property: 'invoice',
    parse: parseInvoice,
    members: {
      title: 'PdfInvoice',
      description:
        'An electronic invoice (Factur-X, ZUGFeRD, XRechnung): the PDF is PDF/A-3b and has the XML as factur-x.xml or xrechnung.xml.',
      table: INVOICE_OPTIONS,
    },
    description:
      'An electronic invoice (Factur-X, ZUGFeRD, XRechnung): the PDF is PDF/A-3b and has the XML as factur-x.xml or xrechnung.xml.',
    example: { xml: '<?xml version="1.0"?><rsm:CrossIndustryInvoice …', profile: 'EN 16931' },
    control: ARCHIVE,
  },
  author: {
    ...LINE,
    description: "The PDF's author, in one line.",
    example: 'Example Ltd',
    flag: { summary: 'The author of the PDF', placeholder: 'text' },
    control: { ...INFO, label: 'Author', hint: 'A person or a company' },
  },
  subject: {
    ...LINE,
    description: "The PDF's subject, in one line.",
    example: 'Invoice for May',
    flag: { summary: 'The subject of the PDF', placeholder: 'text' },
    control: { ...INFO, label: 'Subject', hint: 'What it is about' },
  },
  keywords: {
    type: 'array',
    items: { type: 'string' },
    maxItems: MAX_KEYWORDS,
    accepts: 'string',
    parse: parseKeywords,
    description: "The PDF's keywords, at most 4,000 characters together.",
    example: ['invoice', '2026'],
    flag: { summary: 'Keywords of the PDF, with commas between them', placeholder: 'list' },
    control: { ...INFO, label: 'Keywords', hint: 'With commas between them' },
  },
  password: {
    type: 'string',
    property: 'encryption',
    parse: parseEncryption,
    description: 'The PDF opens with this password only (AES-256): 1 to 127 bytes of UTF-8. Not in PDF/A.',
    example: 'open sesame',
    flag: { name: 'password-file', summary: 'File with the password that opens the PDF', ...FILE },
    control: { ...SECRET, label: 'Password', hint: 'Opens the PDF' },
  },
  owner_password: {
    type: 'string',
    parsedWith: 'password',
    description: 'The password that lifts permissions: as password, but another one. Not in PDF/A.',
    example: 'correct horse',
    flag: {
      name: 'owner-password-file',
      summary: 'File with the password that lifts --permissions',
      ...FILE,
    },
    control: { ...SECRET, label: "Owner's password", hint: 'Lifts the permissions' },
  },
  permissions: {
    type: 'array',
    items: { type: 'string', enum: PERMISSIONS },
    needs: 'owner_password',
    parsedWith: 'password',
    description: 'What is allowed without owner_password, which it needs; all by default.',
    example: ['print', 'copy'],
    flag: { summary: 'What is allowed, such as print,copy; none for nothing', placeholder: 'list' },
    control: {
      group: SECRET.group,
      label: "Allowed without the owner's password",
      labels: {
        print: 'Print',
        print_high_quality: 'Print in high quality',
        copy: 'Copy text',
        modify: 'Edit',
        annotate: 'Comment',
        fill_forms: 'Fill in forms',
        assemble: 'Insert and rotate pages',
      },
    },
  },
  pdfa: {
    type: 'string',
    enum: ['3b'],
    parse: parsePdfa,
    description: 'The PDF conforms to PDF/A-3b (ISO 19005-3), for archives.',
    example: '3b',
    flag: { summary: 'Conform to PDF/A for archives: 3b', placeholder: 'level' },
    control: { ...ARCHIVE, label: 'PDF/A-3b for archives' },
  },
} as const satisfies Record<string, PdfOptionRow>;

type Parsed<R> = R extends { parse: (...given: never[]) => infer V }
  ? V
  : R extends { default: unknown }
    ? SentValue<R>
    : SentValue<R> | null;

/** The values of the options in a PdfRequest, besides the documents. */
export type PdfOptionValues = {
  -readonly [
    N in keyof typeof PDF_OPTIONS as (typeof PDF_OPTIONS)[N] extends { parsedWith: string }
      ? never
      : PropertyName<N, (typeof PDF_OPTIONS)[N]> & string
  ]: Parsed<(typeof PDF_OPTIONS)[N]>;
};
