import type { GeneratedPdf, PdfCaller, PdfRequest, RenderWatch } from '#pdf';
import { MAX_CHARACTERS, MAX_WAIT_MS } from '#pdf/request';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { requireCaller } from './admit-request.ts';
import type { ReadJson } from '../wire/json/read-json.ts';
import { refuseQuery } from '../query.ts';
import { choice, header, okHeaders, strict } from '../schema.ts';
import { toPayload } from './to-payload.ts';
import { WorkRecord } from './work-record.ts';
import { PDF_BODY } from './pdf-body.ts';

export type GeneratePdf = (
  request: PdfRequest,
  caller: PdfCaller,
  signal: AbortSignal,
  watch?: RenderWatch,
) => Promise<GeneratedPdf>;

const length = (what: string, fallback: string) =>
  Type.Optional(
    Type.String({
      default: fallback,
      description: `${what} margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0.`,
    }),
  );

const sheetSide = (what: string, other: string) =>
  Type.Optional(
    Type.String({
      description: `${what} of a sheet of another size: a CSS length from 10mm to 5080mm, together with ${other} and without page_size.`,
    }),
  );

const body = strict({
  html: Type.String({ description: 'HTML content to convert; at most 5 MiB (5,242,880 bytes of UTF-8).' }),
  page_size: Type.Optional(choice(['A4', 'Letter', 'Legal', 'A3', 'A5'], { default: 'A4' })),
  page_width: sheetSide('Width', 'page_height'),
  page_height: sheetSide('Height', 'page_width'),
  orientation: Type.Optional(
    choice(['portrait', 'landscape'], {
      default: 'portrait',
      description: 'landscape makes the longer side of the sheet its width.',
    }),
  ),
  margin_top: length('Top', '20mm'),
  margin_bottom: length('Bottom', '20mm'),
  margin_left: length('Left', '15mm'),
  margin_right: length('Right', '15mm'),
  header_html: Type.Optional(
    Type.String({
      description:
        'HTML for the page header; {{page}}, {{pages}}, {{title}} and {{date}} are replaced. At most 512 KiB.',
    }),
  ),
  footer_html: Type.Optional(
    Type.String({
      description:
        'HTML for the page footer; {{page}} (current page number), {{pages}} (total pages), {{title}} and {{date}} are replaced. At most 512 KiB.',
    }),
  ),
  css: Type.Optional(Type.String({ description: 'Additional CSS, last in <head>. At most 512 KiB.' })),
  scale: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 2, default: 1, description: 'Scale of the content.' }),
  ),
  page_ranges: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.page_ranges,
      description: 'Pages to print, like 1-3,5; all by default.',
    }),
  ),
  print_background: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether backgrounds are printed.' }),
  ),
  media: Type.Optional(choice(['print', 'screen'], { default: 'print', description: 'The CSS media type.' })),
  base_url: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.base_url,
      description: 'The http(s) URL against which relative links are resolved.',
    }),
  ),
  javascript: Type.Optional(Type.Boolean({ default: true, description: 'Whether scripts run.' })),
  wait_for: Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: MAX_CHARACTERS.wait_for }),
        Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS }),
      ],
      {
        description: `A CSS selector to wait for, or milliseconds of the document's own time to wait (at most ${MAX_WAIT_MS}).`,
      },
    ),
  ),
  wait_for_expression: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.wait_for_expression,
      description:
        'JavaScript to wait for: it is evaluated each time the document is idle, until it is truthy.',
    }),
  ),
  now: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        "The time of the document's clock and of the PDF's dates (RFC 3339); the time of the request by default.",
    }),
  ),
  title: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.title,
      description: "The PDF's title, in place of the document's.",
    }),
  ),
  lang: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.lang,
      description:
        "The PDF's language (BCP 47), such as pt-BR; also that of a document that does not declare one.",
    }),
  ),
  tagged: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the PDF is tagged for accessibility.' }),
  ),
  outline: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the headings become bookmarks.' }),
  ),
  strict: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether warnings (see X-PDF-Warnings) are the error render_failed.',
    }),
  ),
  filename: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.filename,
      description:
        'The file name in Content-Disposition; document.pdf by default. .pdf is appended if it is missing.',
    }),
  ),
});

/** The head of a response must stay small; the count includes the other warnings. */
const MAX_WARNING_HEADERS = 5;

const pdfHeaders = {
  ...okHeaders,
  'X-PDF-Pages': header('integer', 'The number of pages.'),
  'X-PDF-Warnings': header(
    'integer',
    'The number of warnings: resources that were not loaded, errors of scripts and the like.',
  ),
  'X-PDF-Warning': {
    ...header(
      'string',
      'A warning in English, at most 200 ASCII characters. The header is sent once for each of the first five.',
    ),
    maxLength: 200,
  },
  'Content-Disposition': header('string', 'inline, with the file name.'),
};

/** Adds POST /v1/pdf/generate. */
export function routeGeneratePdf(scope: FastifyInstance, generatePdf: GeneratePdf, readJson: ReadJson): void {
  scope.post('/pdf/generate', {
    bodyLimit: PDF_BODY.maxBytes,
    config: { operation: 'generatePdf' },
    schema: {
      operationId: 'generatePdf',
      summary: 'Render HTML to a PDF',
      description:
        'Renders an HTML string into a PDF with a headless browser. The result is binary PDF data.',
      tags: ['pdf'],
      body,
      response: {
        200: {
          description: 'The PDF.',
          headers: pdfHeaders,
          content: { 'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } } },
        },
        ...errorResponses(
          'missing_html',
          'invalid_page_size',
          'invalid_json',
          'invalid_parameter',
          'timeout',
          'payload_too_large',
          'unsupported_media_type',
          'render_failed',
          'overloaded',
          'unavailable',
        ),
      },
    },
    handler: async (request, reply) => {
      const caller = requireCaller(request);
      const hold = scope.holds.hold('pdfRequests', request, reply);
      const parsed = await readJson(request, reply, PDF_BODY, hold);
      refuseQuery(request.raw.url ?? '');
      const work = new WorkRecord();
      request.work = work;
      const document = await generatePdf(parsed, caller, hold.signal, {
        startPhase: work.startPhase,
        onDeadline: (ms) => (work.timeoutMs = Math.round(ms)),
      });
      // The PDF is held in place of the body until a slow client has read it. One PDF fits into every share.
      hold.setBytes(Math.min(document.pdf.length, PDF_BODY.maxBytes));
      if (document.warnings.length > 0)
        reply.header('x-pdf-warning', document.warnings.slice(0, MAX_WARNING_HEADERS));
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', formatContentDisposition(parsed.filename ?? 'document.pdf'))
        .header('x-pdf-pages', document.pages)
        .header('x-pdf-warnings', document.warnings.length)
        .header('content-length', document.pdf.length)
        .send(toPayload(request, document.pdf));
    },
  });
}

/** Formats RFC 6266: an ASCII fallback and, if the name is not ASCII, the whole name by RFC 8187. */
export function formatContentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const plain = `inline; filename="${ascii}"`;
  if (ascii === filename) return plain;
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
