import type { BrowserKeeper } from '#browser';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import { Warnings } from '../warnings/warnings.ts';
import { finishInWorker } from './finish-in-worker.ts';
import { hasOwnHeaders, listDocuments } from './list-documents.ts';
import { toFinishOptions } from '../finish/to-finish-options.ts';
import { printParts } from './print-parts.ts';
import type { PartOptions } from './render-options.ts';
import { renderLayers } from './render-layers.ts';
import { selectPages } from './select-pages.ts';

/**
 * Renders a request whose PDF is composed of several prints: of its documents, of headers and footers that
 * Chromium cannot print, and of a watermark. They are printed one after the other, in one slot.
 */
export async function renderComposed(
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
    request.pageRanges !== null && hasOwnHeaders(request) ? selectPages(request.pageRanges, count) : null;
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
