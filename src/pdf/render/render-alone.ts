import { renderPage, type BrowserKeeper } from '#browser';
import { createOnlyPlace } from './document-places.ts';
import { needsFinishing } from '../finish/finishing.ts';
import { toFinishOptions } from '../finish/to-finish-options.ts';
import { updateMetadata } from '../pdf-file/update-metadata.ts';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { finishInWorker } from './finish-in-worker.ts';
import { loadTexts } from './load-texts.ts';
import type { OffThreadLimits } from './off-thread.ts';
import { createNumbering, createPrintWork } from './print-work.ts';
import { RenderFetchers } from './render-fetchers.ts';
import type { PartOptions } from './render-options.ts';
import { warnOfNumbers } from './warn-of-numbers.ts';

/** Renders a request with one document, whose header and footer Chromium prints. */
export async function renderAlone(
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
