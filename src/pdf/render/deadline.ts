import type { PdfRequest } from '../pdf-request.ts';

export interface DeadlineLimits {
  /** The longest deadline of a render, in milliseconds. */
  timeoutMs: number;
  /** The deadline of a small document, in milliseconds; default 10 s. */
  smallDocumentMs?: number;
}

const SMALL_DOCUMENT_MS = 10_000;
const BYTES_PER_SECOND = 250_000;
const FURTHER_DOCUMENT_MS = 1_000;
/** The part of a document's time in which its resources may arrive. */
const RESOURCE_SHARE = 0.75;

/**
 * Computes the deadline of a request: 10 s, 1 s per 250 kB of its documents, 1 s for each further document
 * and its `wait_for` time; with a selector or an expression, `timeoutMs`.
 */
export function computeDeadlineMs(
  request: PdfRequest,
  { timeoutMs, smallDocumentMs = SMALL_DOCUMENT_MS }: DeadlineLimits,
): number {
  const { waitFor, waitForExpression, moreDocuments } = request;
  if (waitForExpression !== null || (waitFor !== null && 'selector' in waitFor)) return timeoutMs;
  const waitMs = waitFor?.milliseconds ?? 0;
  const bytes = moreDocuments.reduce((sum, { htmlBytes }) => sum + htmlBytes, request.htmlBytes);
  const documentsMs = (bytes / BYTES_PER_SECOND) * 1000 + moreDocuments.length * FURTHER_DOCUMENT_MS;
  return Math.min(timeoutMs, smallDocumentMs + documentsMs + waitMs);
}

/**
 * Computes the deadline of its resources, which is earlier: one that never arrives leaves a gap instead of a
 * timeout.
 */
export function computeResourceDeadlineMs(documentMs: number): number {
  return Math.max(0, Math.round(documentMs * RESOURCE_SHARE));
}
