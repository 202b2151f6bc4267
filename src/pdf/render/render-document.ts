import type { BrowserKeeper } from '#browser';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import { fillTemplates } from '../liquid/fill-templates.ts';
import { refuseWarnings } from '../warnings/refuse-warnings.ts';
import { computeDeadlineMs } from './deadline.ts';
import { isComposed } from './list-documents.ts';
import { renderAlone } from './render-alone.ts';
import { renderComposed } from './render-composed.ts';
import type { RenderEnd, RenderOptions } from './render-options.ts';
import { toApiError } from './to-api-error.ts';

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
  let request = { ...body, date: body.date ?? new Date(startedAt).toISOString().slice(0, 10) };
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
