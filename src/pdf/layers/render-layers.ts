import { renderPage, type Page } from '#browser';
import type { LayerName, PreparedLayer } from '../load/prepare-request.ts';
import { wrapTemplate, type PrintTemplates } from '../load/print-templates.ts';
import type { Layer } from '../finish/finish-input.ts';
import { hasOwnHeaders, type LayerInput, type LayerPage, type LayerTemplates } from './layer-input.ts';
import { printLayers } from './print-layers.ts';
import { findTitle } from '../pdf-file/scan-pages.ts';
import { listPageSizes } from '../pdf-file/page-heads.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_MARGINS } from '../request/sheet-members.ts';
import { type Warnings, formatFailedRequest } from '../warnings/warnings.ts';
import { checkPdfSize, prepareLayersOffThread } from '../worker/off-thread.ts';
import { checkTemplates } from '../print/check-templates.ts';
import { inlineSources, type TemplateEffects, type TemplateSource } from '../load/inline-templates.ts';
import { RenderFetchers } from '../load/inline-document.ts';
import { computeResourceDeadlineMs, type PdfJob } from '../pdf-job.ts';
import { openStatic } from '../print/lanes.ts';
import { toOwner, type PrintedDocument } from '../print/print-document.ts';
import { printPages } from '../print/print-pages.ts';

/** The documents of a PDF, as requests of their own, and their prints. */
export interface PrintedParts {
  documents: readonly PdfRequest[];
  printed: readonly PrintedDocument[];
}

/** The members that templates are of. */
const PARAMS: Record<LayerName, TemplateSource['param']> = {
  header: 'header_html',
  footer: 'footer_html',
  firstHeader: 'first_header_html',
  firstFooter: 'first_footer_html',
  watermark: 'watermark_html',
};

/**
 * Prints the headers and footers that Chromium cannot print, and the watermark, for the pages of the printed
 * documents. Throws ApiError, PageLostError, CdpError and the signal's reason.
 */
export async function renderLayers(
  request: PdfRequest,
  { documents, printed }: PrintedParts,
  job: PdfJob & { warnings: Warnings },
): Promise<Layer[]> {
  const sources = { templates: selectTemplates(request), title: request.title, date: request.date };
  const prepared = await prepareLayersOffThread(sources, job);
  if (prepared.length === 0) return [];
  const title = request.title ?? (printed[0] && findTitle(printed[0].pdf)) ?? '';
  const { templates, ...effects } = await inline(request, prepared, job);
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
      const layers = await printLayers(input, async (html) => {
        const sheets = await printSheets(page, { request, html }, job);
        bytes += sheets.length;
        checkPdfSize(bytes, job);
        return sheets;
      });
      await checkHeights(page, documents, { ...job, templates });
      return layers;
    },
  };
  const { remainingMs, longestRemainingMs } = job.deadline;
  return renderPage(job.keeper, work, { ...job, remainingMs, longestRemainingMs });
}

/** Returns the templates that are printed as layers. Chromium prints the others. */
function selectTemplates(request: PdfRequest): LayerTemplates {
  const { headerHtml, footerHtml, firstHeaderHtml, firstFooterHtml, watermark } = request;
  const isOwn = hasOwnHeaders(request);
  return {
    header: isOwn ? headerHtml : null,
    footer: isOwn ? footerHtml : null,
    firstHeader: firstHeaderHtml,
    firstFooter: firstFooterHtml,
    watermark: watermark?.html ?? null,
  };
}

async function inline(
  { baseUrl }: PdfRequest,
  prepared: readonly PreparedLayer[],
  options: PdfJob,
): Promise<TemplateEffects & { templates: LayerTemplates }> {
  const fetchers = new RenderFetchers(options.openResourceFetcher, options.accountId);
  const timeoutMs = computeResourceDeadlineMs(options.deadline.remainingMs);
  const limits = { openFetcher: () => fetchers.share(timeoutMs), timeoutMs, signal: options.signal };
  try {
    const sources = prepared.map(({ name, ...source }) => ({ ...source, param: PARAMS[name] }));
    const inlined = await inlineSources(sources, baseUrl, limits);
    const find = (name: LayerName): string | null =>
      inlined.texts[prepared.findIndex((layer) => layer.name === name)] ?? null;
    const templates = {
      header: find('header'),
      footer: find('footer'),
      firstHeader: find('firstHeader'),
      firstFooter: find('firstFooter'),
      watermark: find('watermark'),
    };
    return { ...inlined, templates };
  } finally {
    fetchers.close();
  }
}

function listLayerPages(document: PdfRequest, printed: PrintedDocument | undefined): LayerPage[] {
  const margins = getMargins(document);
  return printed === undefined ? [] : listPageSizes(printed.pdf).map((size) => ({ ...size, margins }));
}

function getMargins({ margins: { top, bottom, left, right } }: PdfRequest): LayerPage['margins'] {
  return {
    top: top ?? DEFAULT_MARGINS.top,
    bottom: bottom ?? DEFAULT_MARGINS.bottom,
    left: left ?? DEFAULT_MARGINS.left,
    right: right ?? DEFAULT_MARGINS.right,
  };
}

/** Prints a document of sheets: its @page rule sets their size. */
async function printSheets(
  page: Page,
  { request, html }: { request: PdfRequest; html: string },
  job: PdfJob,
): Promise<Buffer> {
  const plain = { sheet: null, scale: 1, printBackground: true, tagged: false, outline: false };
  await openStatic(page, { html, url: null, isMoving: false }, job);
  const source = { request: { ...request, ...plain, pageRanges: null }, templates: null };
  return printPages(page, source, { ...job, watch: undefined, numbering: null });
}

/** Warns of headers and footers that are taller than the margins of a document. */
async function checkHeights(
  page: Page,
  documents: readonly PdfRequest[],
  {
    templates: { header, footer, firstHeader, firstFooter },
    warnings,
    keyId,
    heights,
  }: PdfJob & { warnings: Warnings; templates: LayerTemplates },
): Promise<void> {
  const check = (document: PdfRequest, top: string | null, bottom: string | null): Promise<void> => {
    const { left, right } = getMargins(document);
    const wrap = (html: string | null): string => wrapTemplate(html ?? '', { left, right });
    const templates: PrintTemplates = { headerTemplate: wrap(top), footerTemplate: wrap(bottom) };
    const request = { ...document, headerHtml: top, footerHtml: bottom };
    return checkTemplates(page, request, { templates, warnings, keyId, heights, isReused: true });
  };
  const [first] = documents;
  if (first && (firstHeader !== null || firstFooter !== null))
    await check(first, firstHeader ?? header, firstFooter ?? footer);
  for (const document of documents) await check(document, header, footer);
}
