/** The schema of the body of POST /v1/pdf/generate, and of the documents in it. */
import { MAX_CHARACTERS, MAX_MORE_DOCUMENTS, MAX_WAIT_MS } from '#pdf/request';
import { Type } from 'typebox';
import { choice, strict } from '../schema.ts';
import { finishingMembers } from './pdf-finishing-schema.ts';

const length = (what: string, fallback: { default?: string }) =>
  Type.Optional(
    Type.String({
      ...fallback,
      examples: ['12mm'],
      description: `${what} margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0.`,
    }),
  );

const sheetSide = (what: string, other: string, example: string) =>
  Type.Optional(
    Type.String({
      examples: [example],
      description: `${what} of a sheet of another size: a CSS length from 10mm to 5080mm, together with ${other} and without page_size.`,
    }),
  );

/** Returns the members of a sheet. The defaults of a later document are the members of the request. */
const createSheetMembers = (isFirst: boolean) => {
  const fallback = <T extends string>(value: T): { default?: T } => (isFirst ? { default: value } : {});
  return {
    page_size: Type.Optional(
      choice(['A4', 'Letter', 'Legal', 'A3', 'A5'], {
        ...fallback('A4'),
        examples: ['Letter'],
        description: 'The sheet.',
      }),
    ),
    page_width: sheetSide('Width', 'page_height', '80mm'),
    page_height: sheetSide('Height', 'page_width', '200mm'),
    orientation: Type.Optional(
      choice(['portrait', 'landscape'], {
        ...fallback('portrait'),
        examples: ['landscape'],
        description: 'landscape makes the longer side of the sheet its width.',
      }),
    ),
    margin_top: length('Top', fallback('20mm')),
    margin_bottom: length('Bottom', fallback('20mm')),
    margin_left: length('Left', fallback('15mm')),
    margin_right: length('Right', fallback('15mm')),
  };
};

const laterDocument = strict(
  {
    html: Type.String({ examples: ['<h1>Terms</h1>'], description: 'HTML content of this document.' }),
    ...createSheetMembers(false),
  },
  {
    title: 'PdfDocument',
    description: 'A document that follows in the same PDF. A member that it leaves out is as in the request.',
  },
);

const documentMembers = {
  html: Type.String({
    examples: ['<h1>Invoice 2026-117</h1>'],
    description:
      'HTML content to convert; at most 5 MiB (5,242,880 bytes of UTF-8), together with that of more_documents.',
  }),
  more_documents: Type.Optional(
    Type.Array(laterDocument, {
      maxItems: MAX_MORE_DOCUMENTS,
      examples: [[{ html: '<h1>Terms</h1>', page_size: 'A5' }]],
      description:
        'Documents that follow in the same PDF, each with a sheet and margins of its own. Each counts as one request.',
    }),
  ),
  ...createSheetMembers(true),
};

const template = (example: string, description: string) =>
  Type.Optional(Type.String({ examples: [example], description }));

const bodyMembers = {
  ...documentMembers,
  header_html: template(
    '<p>{{title}}</p>',
    'HTML for the page header; {{page}}, {{pages}}, {{title}} and {{date}} are replaced. At most 512 KiB.',
  ),
  footer_html: template(
    'Page {{page}} of {{pages}}',
    'HTML for the page footer; {{page}} (current page number), {{pages}} (total pages), {{title}} and {{date}} are replaced. At most 512 KiB.',
  ),
  first_header_html: template(
    '',
    'HTML for the header of the first page, in place of header_html; an empty text for none. At most 512 KiB.',
  ),
  first_footer_html: template(
    '<p>Example Ltd, 1 Main Street</p>',
    'HTML for the footer of the first page, in place of footer_html; an empty text for none. At most 512 KiB.',
  ),
  watermark_html: template(
    '<p style="font-size: 90pt; color: #ccc">Draft</p>',
    'HTML on every page, printed on the whole sheet. At most 512 KiB.',
  ),
  watermark_position: Type.Optional(
    choice(['behind', 'over'], {
      default: 'behind',
      examples: ['over'],
      description: 'Whether the watermark is behind or over the content.',
    }),
  ),
  template: Type.Optional(
    choice(['liquid'], {
      examples: ['liquid'],
      description:
        'The language of templates in html, headers, footers and watermark, which are filled with data. Without it, braces are as they are.',
    }),
  ),
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [{ customer: 'Ada Lovelace', total: 1240 }],
      description:
        'What templates are filled with: at most 10,000 values, 8 levels deep, 1 MiB of JSON. Needs template.',
    }),
  ),
  css: Type.Optional(
    Type.String({
      examples: ['body { font: 11pt sans-serif }'],
      description: 'Additional CSS, last in <head>. At most 512 KiB.',
    }),
  ),
  scale: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 2,
      default: 1,
      examples: [0.8],
      description: 'Scale of the content.',
    }),
  ),
  page_ranges: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.page_ranges,
      examples: ['1-3,5'],
      description: 'Pages to print, like 1-3,5; all by default.',
    }),
  ),
  print_background: Type.Optional(
    Type.Boolean({ default: true, examples: [false], description: 'Whether backgrounds are printed.' }),
  ),
  media: Type.Optional(
    choice(['print', 'screen'], {
      default: 'print',
      examples: ['screen'],
      description: 'The CSS media type.',
    }),
  ),
  base_url: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.base_url,
      examples: ['https://example.com/invoices/'],
      description: 'The http(s) URL against which relative links are resolved.',
    }),
  ),
  javascript: Type.Optional(
    Type.Boolean({ default: true, examples: [false], description: 'Whether scripts run.' }),
  ),
  wait_for: Type.Optional(
    // One type list and no union: every generator reads it.
    Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      maxLength: MAX_CHARACTERS.wait_for,
      minimum: 0,
      maximum: MAX_WAIT_MS,
      examples: ['#chart svg'],
      description: `A CSS selector to wait for, or milliseconds of the document's own time to wait (at most ${MAX_WAIT_MS}).`,
    }),
  ),
  wait_for_expression: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.wait_for_expression,
      examples: ['document.fonts.status === "loaded"'],
      description:
        'JavaScript to wait for: it is evaluated each time the document is idle, until it is truthy.',
    }),
  ),
  now: Type.Optional(
    Type.String({
      format: 'date-time',
      examples: ['2026-11-23T09:30:00Z'],
      description:
        "The time of the document's clock and of the PDF's dates (RFC 3339); the time of the request by default.",
    }),
  ),
  title: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.title,
      examples: ['Invoice 2026-117'],
      description: "The PDF's title, in place of the document's.",
    }),
  ),
  lang: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.lang,
      examples: ['pt-BR'],
      description:
        "The PDF's language (BCP 47), such as pt-BR; also that of a document that does not declare one.",
    }),
  ),
  tagged: Type.Optional(
    Type.Boolean({
      default: false,
      examples: [true],
      description: 'Whether the PDF is tagged for accessibility.',
    }),
  ),
  outline: Type.Optional(
    Type.Boolean({ default: false, examples: [true], description: 'Whether the headings become bookmarks.' }),
  ),
  strict: Type.Optional(
    Type.Boolean({
      default: false,
      examples: [true],
      description: 'Whether warnings (see X-PDF-Warnings) are the error render_failed.',
    }),
  ),
  filename: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.filename,
      examples: ['invoice.pdf'],
      description:
        'The file name in Content-Disposition; document.pdf by default. .pdf is appended if it is missing.',
    }),
  ),
};

export const pdfRequest = strict({ ...bodyMembers, ...finishingMembers }, { title: 'PdfRequest' });
