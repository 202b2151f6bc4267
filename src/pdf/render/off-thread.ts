import { finishTagged } from '../accessible/finish-tagged.ts';
import { PageLostError } from '../browser/page.ts';
import { isLargeRequest, prepareRequest, type PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import { toApiError } from './render-error.ts';

/** When work in the worker is dropped. */
export interface OffThreadLimits {
  worker: DocumentWorker;
  /** Milliseconds until the deadline of the document. */
  remainingMs: number;
  /** Aborts when the caller has disconnected. */
  signal: AbortSignal | undefined;
}

/** To finish a tagged PDF takes 16 ms per MiB. */
const MAX_INLINE_PDF_BYTES = 512 * 1024;

/** Prepares a request: a small one at once, a large one in the worker. */
export async function prepare(request: PdfRequest, limits: OffThreadLimits): Promise<PreparedRequest> {
  if (!isLargeRequest(request)) return prepareRequest(request);
  try {
    return await withinDeadline(limits, (signal) => limits.worker.run('prepareRequest', request, signal));
  } catch (error) {
    throw toApiError(error);
  }
}

/** Finishes a tagged PDF: a small one here, a large one in the worker, to which its bytes move. */
export async function finish(pdf: Buffer, fallbackTitle: string, limits: OffThreadLimits): Promise<Buffer> {
  if (pdf.length <= MAX_INLINE_PDF_BYTES) return finishTagged(pdf, fallbackTitle);
  const { buffer, byteOffset, byteLength } = await withinDeadline(limits, (signal) =>
    limits.worker.run('finishTagged', { pdf, fallbackTitle }, signal),
  );
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Aborts work at the deadline with PageLostError, or when the caller has disconnected. */
async function withinDeadline<T>(
  { remainingMs, signal }: OffThreadLimits,
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
