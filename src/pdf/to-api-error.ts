import { WorkerFailure } from '#concurrency';
import { ApiError } from '#errors';
import {
  BrowserUnavailableError,
  CdpDataTooLargeError,
  CdpError,
  type LossReason,
  PageLostError,
} from '#browser';
import type { PdfRequest } from './pdf-request.ts';
import { type DeadlineLimits, type JobDeadline, computeDeadlineMs } from './pdf-job.ts';
import { mayRunScripts } from './load/load-texts.ts';

const MEMORY =
  'The document exceeded the memory limit for one document: make the document or its images smaller.';

const LOSS_MESSAGES: Record<Exclude<LossReason, 'deadline'>, string> = {
  crashed:
    'The document crashed its renderer: make it simpler (common causes are scripts that fill the memory, and elements nested thousands deep).',
  closed: 'The document closed itself: remove its call of window.close().',
  navigated: 'The document navigated away: remove what changes its location.',
  dialogs: 'The document opened too many dialogs: remove its calls of alert(), confirm() and prompt().',
  flood: 'The document made too many requests, frames or navigations: remove the loop that creates them.',
  memory: MEMORY,
  shared: MEMORY,
  frame:
    'The document was busy for too long while it was shown: make its observers of sizes and visibility do less.',
  discarded: 'The render was canceled.',
  browser: 'The browser ended while it rendered the document.',
};

/** The limits of a render, and the time that it took; none if that is not known. */
interface TimeLimits extends DeadlineLimits {
  deadline?: Pick<JobDeadline, 'elapsedMs' | 'phases'>;
}

/** Returns the ApiError for a render that failed; an error of another kind as it is. */
export function toApiError(error: unknown, request: PdfRequest, limits: TimeLimits): unknown {
  if (error instanceof PageLostError) {
    return error.reason === 'deadline'
      ? new ApiError('timeout', formatTimeout(request, limits), { cause: error })
      : new ApiError('render_failed', LOSS_MESSAGES[error.reason], { cause: error });
  }
  if (error instanceof WorkerFailure) {
    const sentence = error.reason === 'memory' ? LOSS_MESSAGES.memory : undefined;
    return new ApiError('render_failed', sentence, { cause: error });
  }
  if (error instanceof BrowserUnavailableError) {
    return new ApiError(
      'unavailable',
      'PDF generation is not available: the service has no browser to render with. Try again after Retry-After.',
      { retryAfterSeconds: error.retryAfterSeconds, cause: error.cause },
    );
  }
  return error instanceof CdpError ? fromCdpError(error) : error;
}

/** Returns the ApiError for an error message of Chromium. */
function fromCdpError(cause: CdpError): ApiError {
  let message: string | undefined;
  if (/content area is empty|margin|paper/i.test(cause.message))
    message =
      'The @page rule of the document leaves no room for content: correct its size or margins, or send page_size and margins.';
  else if (cause instanceof CdpDataTooLargeError)
    message = 'The PDF would be larger than 192 MiB: make the document, or its images, smaller.';
  return new ApiError('render_failed', message, { cause });
}

/** A deadline that was missed by more was extended. */
const EXTENDED_MS = 500;

/** Formats the error of a document that was not rendered before its deadline. */
export function formatTimeout(request: PdfRequest, limits: TimeLimits): string {
  const { timeoutMs: maxMs, deadline } = limits;
  const givenMs = computeDeadlineMs(request, limits);
  // It was extended while pages were being laid out.
  const limitMs = deadline && deadline.elapsedMs > givenMs + EXTENDED_MS ? maxMs : givenMs;
  const isPrinting = deadline !== undefined && deadline.phases.print > deadline.phases.load;
  const advice = [isPrinting ? 'print fewer pages' : 'make it smaller'];
  if (request.waitForExpression !== null) advice.unshift('check wait_for_expression for loops without end');
  const documents = [request, ...request.moreDocuments];
  if (documents.some(({ html }) => mayRunScripts(request, html)))
    advice.unshift('check its scripts for loops without end');
  if (request.waitFor !== null && 'milliseconds' in request.waitFor) advice.push('shorten wait_for');
  else if (limitMs < maxMs)
    advice.push(
      `send a selector as wait_for, such as "body", which raises the limit to ${formatSeconds(maxMs)}`,
    );
  const last = advice.pop();
  const all = advice.length === 0 ? last : `${advice.join(', ')}, or ${last}`;
  return `The document did not finish rendering within ${formatSeconds(limitMs)}${formatPhases(deadline)}: ${all}.`;
}

/** Formats the time of each phase: " (loading took 8.2 s, printing 1.8 s)". */
function formatPhases(deadline: TimeLimits['deadline']): string {
  if (deadline === undefined) return '';
  const { load, print } = deadline.phases;
  return ` (loading took ${formatSeconds(load)}, printing ${formatSeconds(print)})`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
