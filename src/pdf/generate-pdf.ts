import type { BrowserKeeper } from '#browser';
import { renderLayers } from './layers/render-layers.ts';
import { finishDocuments } from './finish/finish-documents.ts';
import { hasOwnHeaders } from './layers/layer-input.ts';
import { fillTemplates } from './liquid/fill-templates.ts';
import { JobDeadline, type GeneratedPdf, type PdfJob } from './pdf-job.ts';
import type { PdfDocument, PdfRequest } from './pdf-request.ts';
import { printDocuments } from './print/print-documents.ts';
import type { PrintedDocument } from './print/print-document.ts';
import { toApiError } from './to-api-error.ts';
import { refuseWarnings, Warnings } from './warnings/warnings.ts';
import { checkInvoiceOffThread } from './worker/off-thread.ts';

/**
 * Renders a request that has its slot: checks its invoice, fills its templates, prints its documents, numbers
 * their pages, prints the layers over and behind them, and finishes the PDF. Throws ApiError and the signal's
 * reason.
 */
export async function generatePdf(
  keeper: BrowserKeeper,
  request: PdfRequest,
  options: Omit<PdfJob, 'keeper' | 'deadline' | 'progress'>,
): Promise<GeneratedPdf> {
  const job: PdfJob = {
    ...options,
    keeper,
    deadline: new JobDeadline(request, options),
    progress: { lane: 'undecided' },
  };
  const end = (error?: unknown): void =>
    job.onRender?.({ lane: job.progress.lane, error, ms: job.deadline.elapsedMs });
  try {
    job.watch?.onDeadline(job.deadline.limitMs);
    const date = formatToday(request, options.now());
    const invoice = await checkInvoiceOffThread(request.invoice, job);
    const filled = await fillTemplates({ ...request, date, invoice }, job);
    const documents = listDocuments(filled);
    const printed = await printDocuments(documents, { ...job, whole: filled });
    const lane = printed.some((document) => document.lane === 'warm') ? 'warm' : 'static';
    const warnings = collectWarnings(printed);
    const layers = await renderLayers(filled, { documents, printed }, { ...job, warnings });
    const finished = await finishDocuments(filled, { printed, layers }, { ...job, warnings });
    if (filled.strict) refuseWarnings(warnings.list());
    end();
    return { ...finished, lane, warnings: warnings.list() };
  } catch (thrown) {
    const error = toApiError(thrown, request, job);
    end(error);
    throw error;
  }
}

/** Returns the day that headers print: in the time zone of the document, or that of `now` as written. */
function formatToday({ now, date, timezone }: PdfRequest, startedAt: number): string {
  const today = new Date(now ?? startedAt);
  // Swedish dates are those of ISO 8601. To look up a zone takes a tenth of the time of a short document.
  if (timezone !== null) return today.toLocaleDateString('sv', { timeZone: timezone });
  return date ?? today.toISOString().slice(0, 10);
}

/** Collects the warnings about documents. Those about a further document name it. */
function collectWarnings(printed: readonly PrintedDocument[]): Warnings {
  const warnings = new Warnings();
  for (const [index, document] of printed.entries())
    warnings.addAll(document.warnings, index === 0 ? '' : `Document ${index + 1}: `);
  return warnings;
}

/** Returns the documents of a request, each as a request of its own. Only the first one is waited for. */
function listDocuments(request: PdfRequest): PdfRequest[] {
  const plain: PdfRequest = {
    ...request,
    moreDocuments: [],
    firstHeaderHtml: null,
    firstFooterHtml: null,
    watermark: null,
  };
  if (!hasOwnHeaders(request)) return [plain];
  const whole = { ...plain, headerHtml: null, footerHtml: null, pageRanges: null };
  const toRequest = (document: PdfDocument): PdfRequest => ({
    ...whole,
    ...document,
    waitFor: null,
    waitForExpression: null,
  });
  return [whole, ...request.moreDocuments.map(toRequest)];
}
