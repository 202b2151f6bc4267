import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import { PageLostError } from '#browser';
import { type PreparedRequest, isLargeRequest, prepareRequest } from '../load/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from './document-worker.ts';

/** The worker, and the limits that abort work in it. */
interface OffThreadLimits {
  worker: DocumentWorker;
  deadline: { readonly remainingMs: number };
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
  const one = { ...request, attachments: [], invoice: null, moreDocuments: [], template: null };
  return withinDeadline(limits, (signal) => limits.worker.run('prepareRequest', one, signal));
}

/** Aborts work at the deadline with PageLostError, or when `signal` aborts. */
export async function withinDeadline<T>(
  { deadline: { remainingMs }, signal }: Pick<OffThreadLimits, 'deadline' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = openDeadline(remainingMs, signal, () => new PageLostError('deadline'));
  try {
    return await work(deadline.signal);
  } finally {
    deadline.close();
  }
}

/** The size of a PDF that is composed of several prints. */
export interface PdfSizeLimit {
  /** Bytes of all documents, headers, footers and watermarks together; default 192 MiB, as of one print. */
  maxPdfBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const MAX_PDF_BYTES = 192 * MEBIBYTE;

/** Checks the bytes of all prints of one PDF. Throws `render_failed`. */
export function checkPdfSize(bytes: number, { maxPdfBytes = MAX_PDF_BYTES }: PdfSizeLimit): void {
  if (bytes <= maxPdfBytes) return;
  throw new ApiError(
    'render_failed',
    `The PDF would be larger than ${maxPdfBytes / MEBIBYTE} MiB: make its documents, headers, footers and watermark, or their images, smaller.`,
  );
}
