import { ApiError } from '#errors';
import { CdpError } from '../browser/cdp-connection.ts';
import { PageLostError, type LossReason } from '../browser/page.ts';
import { DocumentWorkerError } from '../worker/document-worker.ts';

const SENTENCES: Record<Exclude<LossReason, 'deadline'>, string> = {
  crashed:
    'The document crashed its renderer: make it simpler (elements nested thousands deep are a common cause).',
  closed: 'The document closed itself: remove its call of window.close().',
  navigated: 'The document navigated itself away: remove what changes its location.',
  dialogs: 'The document opened too many dialogs: remove its calls of alert(), confirm() and prompt().',
  flood:
    'The document asked for far too many resources, frames or navigations: remove the loop that makes them.',
  memory: 'The document used up the memory that one document may have: make it smaller, or its images.',
  abandoned: 'The render was given up.',
  browser: 'The browser ended while it rendered the document.',
};

/** What a caller is told of a render that failed. */
export function toApiError(error: unknown): unknown {
  if (error instanceof PageLostError) {
    return error.reason === 'deadline'
      ? new ApiError(
          'timeout',
          'The document did not finish rendering within its time limit: make it smaller, or wait for less.',
          { cause: error },
        )
      : new ApiError('render_failed', SENTENCES[error.reason], { cause: error });
  }
  if (error instanceof DocumentWorkerError) {
    const sentence = error.reason === 'memory' ? SENTENCES.memory : undefined;
    return new ApiError('render_failed', sentence, { cause: error });
  }
  if (!(error instanceof CdpError)) return error;
  if (/page range/i.test(error.message)) {
    return new ApiError('invalid_parameter', 'page_ranges asks for pages that the document does not have.', {
      param: 'page_ranges',
      cause: error,
    });
  }
  if (/content area is empty|margin|paper/i.test(error.message)) {
    return new ApiError(
      'render_failed',
      'The @page rule of the document leaves no room for content: correct its size or margins, or send page_size and margin_*.',
      { cause: error },
    );
  }
  if (error.message.includes('too large')) {
    return new ApiError(
      'render_failed',
      'The PDF would be larger than 192 MiB: make the document, or its images, smaller.',
      { cause: error },
    );
  }
  return new ApiError('render_failed', undefined, { cause: error });
}
