import type { PdfRequest } from '../pdf-request.ts';

export interface DeadlineLimits {
  /** The longest deadline of a render, in milliseconds. */
  timeoutMs: number;
  /** The deadline of a small document, in milliseconds; default 10 s. */
  smallDocumentMs?: number;
}

const SMALL_DOCUMENT_MS = 10_000;
const BYTES_PER_SECOND = 250_000;
/** The part of a document's time in which its resources may arrive. */
const RESOURCE_SHARE = 0.75;

/**
 * Computes the deadline of a document: 10 s, 1 s per 250 kB and its `wait_for` time; with a selector
 * or an expression, `timeoutMs`.
 */
export function computeDeadlineMs(
  request: PdfRequest,
  { timeoutMs, smallDocumentMs = SMALL_DOCUMENT_MS }: DeadlineLimits,
): number {
  const { waitFor, waitForExpression } = request;
  if (waitForExpression !== null || (waitFor !== null && 'selector' in waitFor)) return timeoutMs;
  const waitMs = waitFor?.milliseconds ?? 0;
  return Math.min(timeoutMs, smallDocumentMs + (request.htmlBytes / BYTES_PER_SECOND) * 1000 + waitMs);
}

/**
 * Computes the deadline of its resources, which is earlier: one that never arrives leaves a gap instead of a
 * timeout.
 */
export function computeResourceDeadlineMs(documentMs: number): number {
  return Math.max(0, Math.round(documentMs * RESOURCE_SHARE));
}
