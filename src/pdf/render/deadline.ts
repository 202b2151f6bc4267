import type { PdfRequest } from '../pdf-request.ts';

const BASE_MS = 10_000;
const BYTES_PER_SECOND = 250_000;

/** How long a document may take: 10 s, 1 s for each 250 kB, and what it asks to wait for; a selector may use all there is. */
export function renderDeadlineMs(request: PdfRequest, maxMs: number): number {
  if (request.waitFor !== null && 'selector' in request.waitFor) return maxMs;
  const waitMs = request.waitFor?.milliseconds ?? 0;
  return Math.min(maxMs, BASE_MS + (request.htmlBytes / BYTES_PER_SECOND) * 1000 + waitMs);
}

/** How long its resources may take: a quarter less than the document, so that one that never comes leaves a gap instead of failing the render. */
export function resourceDeadlineMs(documentMs: number): number {
  return Math.max(0, Math.round(documentMs * 0.75));
}
