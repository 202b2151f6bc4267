import { WorkerFailure } from '#concurrency';
import { ApiError } from '#errors';
import type { PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { withinDeadline } from '../worker/off-thread.ts';
import type { TemplateText } from './fill-texts.ts';
import { MAX_FILL_MS } from './template-fault.ts';
import { TemplatesLateError } from './template-threads.ts';

/**
 * Fills the texts of a request that are templates with its data, and sets the deadline of the documents. A
 * request without a template is returned as it is. Throws ApiError, PageLostError ('deadline'), WorkerFailure
 * and the signal's reason.
 */
export async function fillTemplates<T extends PdfRequest>(
  request: T,
  job: Pick<PdfJob, 'templateThreads' | 'now' | 'signal' | 'deadline' | 'watch'>,
): Promise<T> {
  if (request.template === null) return request;
  const texts = {
    texts: listTexts(request),
    data: request.template.data,
    now: request.now ?? job.now(),
    zone: request.timezone,
  };
  try {
    const outcome = await withinDeadline(job, (signal) => job.templateThreads.run(texts, signal));
    if (!('fault' in outcome)) {
      const filled = replaceTexts(request, outcome.texts);
      job.deadline.set(filled);
      job.watch?.onDeadline(job.deadline.limitMs);
      return filled;
    }
    const { code, message, param } = outcome.fault;
    throw new ApiError(code, message, { param });
  } catch (error) {
    throw toApiError(error);
  }
}

type Filled = readonly { html: string; bytes: number }[];

/** Lists the texts that are templates. `css` is none: its braces are its own. */
function listTexts(request: PdfRequest): TemplateText[] {
  const texts: TemplateText[] = [{ kind: 'document', param: 'html', source: request.html }];
  request.moreDocuments.forEach(({ html }, index) =>
    texts.push({ kind: 'document', param: `more_documents[${index}].html`, source: html }),
  );
  const { headerHtml, footerHtml, firstHeaderHtml, firstFooterHtml, watermark } = request;
  const add = (kind: TemplateText['kind'], param: string, source: string | null): void => {
    if (source !== null) texts.push({ kind, param, source });
  };
  add('header', 'header_html', headerHtml);
  add('header', 'footer_html', footerHtml);
  add('header', 'first_header_html', firstHeaderHtml);
  add('header', 'first_footer_html', firstFooterHtml);
  add('watermark', 'watermark_html', watermark?.html ?? null);
  return texts;
}

/** Puts filled texts, in the order of `listTexts`, in the place of their templates. */
function replaceTexts<T extends PdfRequest>(request: T, filled: Filled): T {
  const next = filled.values();
  const take = (): Filled[number] => next.next().value ?? { html: '', bytes: 0 };
  const fillText = (source: string | null): string | null => (source === null ? null : take().html);
  const fillDocument = <T extends object>(document: T): T & { html: string; htmlBytes: number } => {
    const { html, bytes } = take();
    return { ...document, html, htmlBytes: bytes };
  };
  const first = fillDocument(request);
  return {
    ...first,
    moreDocuments: request.moreDocuments.map(fillDocument),
    headerHtml: fillText(request.headerHtml),
    footerHtml: fillText(request.footerHtml),
    firstHeaderHtml: fillText(request.firstHeaderHtml),
    firstFooterHtml: fillText(request.firstFooterHtml),
    watermark: request.watermark && { ...request.watermark, html: take().html },
    template: null,
  };
}

function toApiError(error: unknown): unknown {
  if (error instanceof TemplatesLateError)
    return new ApiError(
      'timeout',
      `The templates take longer than ${MAX_FILL_MS / 1_000} s: loop less, or compute it before you send data.`,
      { param: 'template', cause: error },
    );
  if (error instanceof WorkerFailure && error.reason === 'memory')
    return new ApiError(
      'render_failed',
      'The templates take more than 64 MiB of memory: make their lists and texts smaller.',
      { param: 'template', cause: error },
    );
  return error;
}
