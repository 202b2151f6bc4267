/** The schema of the body of POST /v1/pdf/generate. */
import { MAX_CHARACTERS, MAX_WAIT_MS } from '#pdf/request';
import { Type } from 'typebox';
import { choice, strict } from '../schema.ts';

const length = (what: string, fallback: string) =>
  Type.Optional(
    Type.String({
      default: fallback,
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

const bodyMembers = {
  html: Type.String({
    examples: ['<h1>Invoice 2026-117</h1>'],
    description: 'HTML content to convert; at most 5 MiB (5,242,880 bytes of UTF-8).',
  }),
  page_size: Type.Optional(
    choice(['A4', 'Letter', 'Legal', 'A3', 'A5'], {
      default: 'A4',
      examples: ['Letter'],
      description: 'The sheet.',
    }),
  ),
  page_width: sheetSide('Width', 'page_height', '80mm'),
  page_height: sheetSide('Height', 'page_width', '200mm'),
  orientation: Type.Optional(
    choice(['portrait', 'landscape'], {
      default: 'portrait',
      examples: ['landscape'],
      description: 'landscape makes the longer side of the sheet its width.',
    }),
  ),
  margin_top: length('Top', '20mm'),
  margin_bottom: length('Bottom', '20mm'),
  margin_left: length('Left', '15mm'),
  margin_right: length('Right', '15mm'),
  header_html: Type.Optional(
    Type.String({
      examples: ['<p>{{title}}</p>'],
      description:
        'HTML for the page header; {{page}}, {{pages}}, {{title}} and {{date}} are replaced. At most 512 KiB.',
    }),
  ),
  footer_html: Type.Optional(
    Type.String({
      examples: ['Page {{page}} of {{pages}}'],
      description:
        'HTML for the page footer; {{page}} (current page number), {{pages}} (total pages), {{title}} and {{date}} are replaced. At most 512 KiB.',
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

export const pdfRequest = strict(bodyMembers, { title: 'PdfRequest' });
