import { renderPage, type Page } from '#browser';
import { inlineTemplates } from '../load/inline-document.ts';
import { RenderFetchers } from '../load/load-texts.ts';
import type { Layer } from '../finish/finish-input.ts';
import { type LayerInput, type LayerPage, selectLayers } from './layer-input.ts';
import { printLayers } from './print-layers.ts';
import { PrintedPages } from '../pdf-file/printed-pages.ts';
import { findTitle } from '../pdf-file/metadata.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { completeMargins } from '../request/document-members.ts';
import { type Warnings, formatFailedRequest } from '../warnings/warnings.ts';
import { checkPdfSize, prepareOffThread } from '../worker/off-thread.ts';
import { checkTemplates } from '../print/check-templates.ts';
import type { PdfJob } from '../pdf-job.ts';
import { openStatic } from '../print/lanes.ts';
import { toOwner, type PrintedDocument } from '../print/print-document.ts';
import { printPages } from '../print/print-pages.ts';

/** The documents of a PDF, as requests of their own, and their prints. */
export interface PrintedParts {
  documents: readonly PdfRequest[];
  printed: readonly PrintedDocument[];
}

/**
 * Prints the headers and footers that Chromium cannot print, and the watermark, for the pages of the printed
 * documents. Throws ApiError, PageLostError, CdpError and the signal's reason.
 */
export async function renderLayers(
  request: PdfRequest,
  { documents, printed }: PrintedParts,
  job: PdfJob & { warnings: Warnings },
): Promise<Layer[]> {
  const { templates: prepared } = await prepareOffThread(selectLayers(request), job);
  if (prepared.length === 0) return [];
  const title = request.title ?? (printed[0] && findTitle(printed[0].pdf)) ?? '';
  const fetchers = new RenderFetchers(job);
  const inlining = inlineTemplates(prepared, request.baseUrl, fetchers.getInlineLimits());
  const { templates, ...effects } = await inlining.finally(() => fetchers.close());
  for (const failed of effects.failures) job.warnings.add('resource', formatFailedRequest(failed));
  const input: LayerInput = {
    templates,
    watermarkPosition: request.watermark?.position ?? 'behind',
    title,
    pages: documents.flatMap((document, index) => listLayerPages(document, printed[index])),
  };
  const work = {
    reuse: {
      ownerId: toOwner(job.keyId, effects.hanLanguage),
      documentBytes: request.htmlBytes,
      leaves: 'document' as const,
    },
    render: async (page: Page): Promise<Layer[]> => {
      let bytes = printed.reduce((sum, { pdf }) => sum + pdf.length, 0);
      const evaluate = (expression: string): Promise<unknown> => page.evaluate(expression);
      const print = async (html: string): Promise<Buffer> => {
        const sheets = await printSheets(page, { request, html }, job);
        bytes += sheets.length;
        checkPdfSize(bytes, job);
        return sheets;
      };
      const layers = await printLayers(input, { evaluate, print });
      await checkHeights(page, documents, { ...job, templates });
      return layers;
    },
  };
  const { remainingMs, longestRemainingMs } = job.deadline;
  return renderPage(job.keeper, work, { ...job, accountId: job.client, remainingMs, longestRemainingMs });
}

function listLayerPages(document: PdfRequest, printed: PrintedDocument | undefined): LayerPage[] {
  const margins = completeMargins(document.margins);
  return printed === undefined
    ? []
    : new PrintedPages(printed.pdf).sizes.map((size) => ({ ...size, margins }));
}

/** Prints a document of sheets: its @page rule sets their size. */
async function printSheets(
  page: Page,
  { request, html }: { request: PdfRequest; html: string },
  job: PdfJob,
): Promise<Buffer> {
  const plain = { sheet: null, scale: 1, printBackground: true, tagged: false, outline: false };
  await openStatic(page, { html, url: null, isMoving: false }, job);
  const source = { request: { ...request, ...plain, pageRanges: null }, templates: {}, hasCounters: false };
  return printPages(page, source, { ...job, watch: undefined, numbering: null });
}

/** Warns of headers and footers that are taller than the margins of a document. */
async function checkHeights(
  page: Page,
  documents: readonly PdfRequest[],
  job: PdfJob & { warnings: Warnings; templates: LayerInput['templates'] },
): Promise<void> {
  const { header, footer, firstHeader = header, firstFooter = footer } = job.templates;
  const check = (document: PdfRequest, templates: LayerInput['templates']): Promise<void> =>
    checkTemplates(page, document, { ...job, templates, isReused: true });
  const [first] = documents;
  if (first && (firstHeader !== header || firstFooter !== footer))
    await check(first, { header: firstHeader, footer: firstFooter });
  for (const document of documents) await check(document, job.templates);
}
