import type { GeneratedPdf, PdfCaller, PdfRequest, RenderWatch } from '#pdf';
import { PDF_OPTIONS } from '#pdf/request';
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { GENERATE_PDF_ERRORS } from './examples/errors.ts';
import { PDF_REQUESTS, PDF_RESULTS } from './examples/pdf.ts';
import { type UnitWording, requireCaller } from './admit-request.ts';
import type { ReadJson } from '../wire/json/read-body.ts';
import { refuseQuery } from '../query.ts';
import { header, okHeaders, strict } from '../schema.ts';
import { toPayload } from './payload-slices.ts';
import { WorkRecord } from './describe-request.ts';
import { MAX_PLAIN_PDF_BODY_BYTES, PDF_BODY } from './pdf-body.ts';
import { describeMembers } from './operation-options.ts';

export type GeneratePdf = (
  request: PdfRequest,
  caller: PdfCaller,
  signal: AbortSignal,
  watch?: RenderWatch,
) => Promise<GeneratedPdf>;

/** The head of a response must stay small; the count includes the other warnings. */
const MAX_WARNING_HEADERS = 5;

/** Each document counts as one request. */
const MORE_DOCUMENTS: UnitWording = {
  subject: 'The documents of more_documents need',
  advice: 'send fewer documents',
};

const pdfHeaders = {
  ...okHeaders,
  'X-PDF-Pages': header('integer', 'The number of pages.', 1),
  'X-PDF-Warnings': header(
    'integer',
    'The number of warnings: resources that were not loaded, errors of scripts and the like.',
    1,
  ),
  'X-PDF-Warning': {
    ...header(
      'string',
      'A warning in English, at most 200 ASCII characters. The header is sent once for each of the first five.',
      'The image https://cdn.example.com/logo.png could not be reached: its name does not resolve, or its host does not answer.',
    ),
    maxLength: 200,
  },
  'Content-Disposition': header('string', 'inline, with the file name.', 'inline; filename="invoice.pdf"'),
};

export interface GeneratePdfDeps {
  generatePdf: GeneratePdf;
  readJson: ReadJson;
  /** Counts `cost` requests besides the one that was admitted, all or none. */
  consumeUnits: (
    request: FastifyRequest,
    reply: FastifyReply,
    cost: number,
    wording: UnitWording,
  ) => Promise<void>;
}

/** Adds POST /v1/pdf/generate. */
export function routeGeneratePdf(
  scope: FastifyInstance,
  { generatePdf, readJson, consumeUnits }: GeneratePdfDeps,
): void {
  scope.post('/pdf/generate', {
    bodyLimit: PDF_BODY.maxBytes,
    config: { operation: 'generatePdf' },
    schema: {
      operationId: 'generatePdf',
      summary: 'Render HTML to a PDF',
      description:
        'Renders an HTML string into a PDF with a headless browser. The result is binary PDF data.',
      tags: ['pdf'],
      body: { ...strict(describeMembers(PDF_OPTIONS), { title: 'PdfRequest' }), 'x-examples': PDF_REQUESTS },
      response: {
        200: {
          description: 'The PDF.',
          headers: pdfHeaders,
          content: {
            'application/pdf': {
              // Generators take a text without `format` for characters, and damage the bytes.
              schema: { type: 'string', format: 'binary', contentMediaType: 'application/pdf' },
              examples: PDF_RESULTS,
            },
          },
        },
        ...errorResponses(GENERATE_PDF_ERRORS),
      },
    },
    handler: async (request, reply) => {
      const caller = requireCaller(request);
      const hold = scope.holds.hold('pdfRequests', request, reply);
      const parsed = await readJson(request, reply, PDF_BODY, hold);
      refuseQuery(request.raw.url ?? '');
      const more = parsed.moreDocuments.length;
      if (more > 0) {
        checkDocumentCount(request, more + 1);
        await consumeUnits(request, reply, more, MORE_DOCUMENTS);
      }
      const work = new WorkRecord();
      request.work = work;
      const document = await generatePdf(parsed, caller, hold.signal, {
        startPhase: work.startPhase,
        onDeadline: (ms) => (work.timeoutMs = Math.round(ms)),
      });
      // The PDF is held in place of the body until a slow client has read it. One PDF fits into every share.
      hold.setBytes(Math.min(document.pdf.length, MAX_PLAIN_PDF_BODY_BYTES));
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

/** Throws `invalid_parameter` if a PDF has more documents than its caller may send requests in a minute. */
function checkDocumentCount({ caller }: FastifyRequest, count: number): void {
  const limit = caller?.limitPerMinute ?? 0;
  if (count <= limit) return;
  throw new ApiError(
    'invalid_parameter',
    `The PDF has ${count} documents, more than the ${limit} requests a minute of your plan: send fewer in more_documents.`,
    { param: 'more_documents' },
  );
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
