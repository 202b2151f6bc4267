import { ApiError } from '#errors';
import type { FinishedPdf, FinishInput } from '../finish/finish-input.ts';
import { PageLostError } from '#browser';
import { NO_FINISHING } from '../finish/finishing.ts';
import {
  areLargeLayers,
  prepareLayers,
  type LayerSources,
  type PreparedLayer,
} from '../document/prepare-layers.ts';
import { isLargeRequest, prepareRequest, type PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';

/** The worker, and the limits that abort work in it. */
export interface OffThreadLimits {
  worker: DocumentWorker;
  /** Milliseconds until the deadline of the document. */
  remainingMs: number;
  /** Aborts when the client disconnects. */
  signal: AbortSignal | undefined;
}

/**
 * Prepares a request: a small one here, a large one in the worker. Throws PageLostError ('deadline'),
 * WorkerFailure and the signal's reason.
 */
export async function prepareOffThread(
  request: PdfRequest,
  limits: OffThreadLimits,
): Promise<PreparedRequest> {
  if (!isLargeRequest(request)) return prepareRequest(request);
  // Without the other documents and the files, which would be moved to the thread.
  const one = { ...request, ...NO_FINISHING, moreDocuments: [], template: null };
  return withinDeadline(limits, (signal) => limits.worker.run('prepareRequest', one, signal));
}

/** Prepares the templates of layers, as prepareOffThread does a request. */
export async function prepareLayersOffThread(
  sources: LayerSources,
  limits: OffThreadLimits,
): Promise<PreparedLayer[]> {
  if (!areLargeLayers(sources)) return prepareLayers(sources);
  return withinDeadline(limits, (signal) => limits.worker.run('prepareLayers', sources, signal));
}

/**
 * Finishes a PDF in the worker, which takes over its bytes. Throws ApiError for what the PDF cannot be,
 * PageLostError ('deadline'), WorkerFailure and the signal's reason.
 */
export async function finishPdfOffThread(input: FinishInput, limits: OffThreadLimits): Promise<FinishedPdf> {
  const finished = await withinDeadline(limits, (signal) => limits.worker.run('finishPdf', input, signal));
  if (finished.fault !== null) throw new ApiError('render_failed', finished.fault);
  return finished;
}

/** Aborts work at the deadline with PageLostError, or when `signal` aborts. */
export async function withinDeadline<T>(
  { remainingMs, signal }: Pick<OffThreadLimits, 'remainingMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController();
  const onAbort = (): void => aborter.abort(signal?.reason);
  const deadline = setTimeout(() => aborter.abort(new PageLostError('deadline')), Math.max(0, remainingMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(aborter.signal);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
  }
}
