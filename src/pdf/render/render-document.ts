import { type BrowserKeeper, renderPage } from '#browser';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import { fillTemplates } from '../liquid/fill-templates.ts';
import { Warnings, refuseWarnings } from '../warnings/warnings.ts';
import { computeDeadlineMs } from './deadline.ts';
import { hasOwnHeaders, isComposed, listDocuments } from './list-documents.ts';
import type { PartOptions, RenderEnd, RenderOptions } from './render-options.ts';
import { toApiError } from './to-api-error.ts';
import { createOnlyPlace, resolvePageRanges } from './document-places.ts';
import { needsFinishing } from '../finish/finishing.ts';
import { toFinishOptions } from '../finish/finish-input.ts';
import { updateMetadata } from '../pdf-file/update-metadata.ts';
import { type OffThreadLimits, finishInWorker } from './off-thread.ts';
import { loadTexts } from './load-texts.ts';
import { createNumbering, createPrintWork } from './print-work.ts';
import { RenderFetchers } from './inline-document.ts';
import { warnOfNumbers } from './print-numbered.ts';
import { printParts } from './print-parts.ts';
import { renderLayers } from './render-layers.ts';

/**
 * Renders a request that has its slot, each document in the lane that suits it. Throws ApiError and the
 * signal's reason.
 */
export async function renderDocument(
  keeper: BrowserKeeper,
  body: PdfRequest,
  options: RenderOptions,
): Promise<GeneratedPdf> {
  const startedAt = options.now();
  let request = { ...body, date: formatToday(body, startedAt) };
  let deadlineMs = computeDeadlineMs(request, options);
  options.watch?.onDeadline(deadlineMs);
  const getRemainingMs = (): number => deadlineMs - (options.now() - startedAt);
  let lane: RenderEnd['lane'] = 'undecided';
  const onLane = (decided: GeneratedPdf['lane']): void => {
    lane = decided;
  };
  const end = (error?: unknown): void => options.onRender?.({ lane, error, ms: options.now() - startedAt });
  try {
    if (request.template !== null) {
      request = await fillTemplates(request, { ...options, remainingMs: getRemainingMs() });
      // A short template can make a long document.
      deadlineMs = computeDeadlineMs(request, options);
      options.watch?.onDeadline(deadlineMs);
    }
    const render = isComposed(request) ? renderComposed : renderAlone;
    const generated = await render(keeper, request, { ...options, getRemainingMs, onLane });
    if (request.strict) refuseWarnings(generated.warnings);
    end();
    return generated;
  } catch (thrown) {
    const error = toApiError(thrown, request, options);
    end(error);
    throw error;
  }
}

/** Returns the day that headers print: in the time zone of the document, or that of `now` as written. */
function formatToday({ now, date, timezone }: PdfRequest, startedAt: number): string {
  if (timezone === null && date !== null) return date;
  // Swedish dates are those of ISO 8601.
  return new Date(now ?? startedAt).toLocaleDateString('sv', { timeZone: timezone ?? 'UTC' });
}

/** Renders a request with one document, whose header and footer Chromium prints. */
async function renderAlone(
  keeper: BrowserKeeper,
  request: PdfRequest,
  options: PartOptions,
): Promise<GeneratedPdf> {
  const fetchers = new RenderFetchers(options.openResourceFetcher, options.accountId);
  try {
    const loaded = await loadTexts(request, fetchers, options);
    options.onLane(loaded.inlined.document === null ? 'fresh' : 'static');
    const numbering = createNumbering(loaded, createOnlyPlace());
    const work = createPrintWork(
      request,
      loaded,
      { ...options, fetchers, numbering },
      async ({ pdf, pages, lane, warnings }, remainingMs) => {
        if (numbering !== null) warnOfNumbers(numbering, warnings);
        const finished = await finishPrinted(pdf, request, { ...options, remainingMs, warnings });
        return { pdf: finished, pages, lane, warnings: warnings.list() };
      },
    );
    return await renderPage(keeper, work, { ...options, remainingMs: options.getRemainingMs() });
  } finally {
    fetchers.close();
  }
}

async function finishPrinted(
  pdf: Buffer,
  request: PdfRequest,
  { warnings, ...limits }: OffThreadLimits & { warnings: Warnings },
): Promise<Uint8Array> {
  const { title, language, tagged, outline } = request;
  if (!needsFinishing(request) && !tagged && !outline) return updateMetadata(pdf, { title, language });
  const input = { documents: [pdf], layers: [], pages: null, options: toFinishOptions(request) };
  return finishInWorker(input, { ...limits, warnings });
}

/**
 * Renders a request whose PDF is composed of several prints: of its documents, of headers and footers that
 * Chromium cannot print, and of a watermark. They are printed one after the other, in one slot.
 */
async function renderComposed(
  keeper: BrowserKeeper,
  request: PdfRequest,
  options: PartOptions,
): Promise<GeneratedPdf> {
  const documents = listDocuments(request);
  const printed = await printParts(keeper, documents, { ...options, whole: request });
  const lane = printed.some((part) => part.lane === 'fresh') ? 'fresh' : 'static';
  options.onLane(lane);
  const warnings = new Warnings();
  for (const [index, part] of printed.entries())
    warnings.addAll(part.warnings, index === 0 ? '' : `Document ${index + 1}: `);
  const count = printed.reduce((sum, { pages }) => sum + pages, 0);
  const pages =
    request.pageRanges !== null && hasOwnHeaders(request)
      ? resolvePageRanges(request.pageRanges, count)
      : null;
  const layers = await renderLayers(keeper, request, { documents, printed }, { ...options, warnings });
  const input = {
    documents: printed.map(({ pdf }) => pdf),
    layers,
    pages,
    options: toFinishOptions(request),
  };
  const limits = { ...options, warnings, remainingMs: options.getRemainingMs() };
  const pdf = await finishInWorker(input, limits);
  return { pdf, pages: pages?.length ?? count, lane, warnings: warnings.list() };
}
