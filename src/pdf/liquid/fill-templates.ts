import { joinSignals, WorkerFailure, WorkerPool, type WorkerQueueOptions } from '#concurrency';
import { ApiError } from '#errors';
import type { PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { withinDeadline } from '../worker/off-thread.ts';
import type { FilledText, FillJob, FillOutcome, TemplateText } from './fill-texts.ts';
import { HEAP_MB, MAX_FILL_MS, YOUNG_HEAP_MB } from './template-fault.ts';

const NOTHING: FilledText = { html: '', bytes: 0 };

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
  const texts: TemplateText[] = [];
  mapTexts(request, (text) => {
    texts.push(text);
    return NOTHING;
  });
  const fillJob = {
    texts,
    data: request.template.data,
    now: request.now ?? job.now(),
    zone: request.timezone,
  };
  const outcome = await withinDeadline(job, (signal) => job.templateThreads.run(fillJob, signal));
  if ('fault' in outcome) {
    const { code, message, param } = outcome.fault;
    throw new ApiError(code, message, { param });
  }
  const next = outcome.texts.values();
  const filled = mapTexts(request, () => next.next().value ?? NOTHING);
  job.deadline.set(filled);
  job.watch?.onDeadline(job.deadline.limitMs);
  return filled;
}

/** Maps the texts that are templates, in their order. `css` is none: its braces are its own. */
function mapTexts<T extends PdfRequest>(request: T, map: (text: TemplateText) => FilledText): T {
  const mapDocument = <D extends { html: string }>(document: D, param: string): D => {
    const { html, bytes } = map({ kind: 'document', param, source: document.html });
    return { ...document, html, htmlBytes: bytes };
  };
  const mapText = (source: string | null, param: string, kind: TemplateText['kind'] = 'header') =>
    source === null ? null : map({ kind, param, source }).html;
  const { moreDocuments, watermark } = request;
  return {
    ...mapDocument(request, 'html'),
    moreDocuments: moreDocuments.map((one, index) => mapDocument(one, `more_documents[${index}].html`)),
    headerHtml: mapText(request.headerHtml, 'header_html'),
    footerHtml: mapText(request.footerHtml, 'footer_html'),
    firstHeaderHtml: mapText(request.firstHeaderHtml, 'first_header_html'),
    firstFooterHtml: mapText(request.firstFooterHtml, 'first_footer_html'),
    watermark: watermark && {
      ...watermark,
      html: mapText(watermark.html, 'watermark_html', 'watermark') ?? '',
    },
    template: null,
  };
}

const IDLE_MS = 10_000;
const NO_JOB: FillJob = { texts: [], data: {}, now: 0 };

/**
 * Fills templates in threads, one for each request at a time: a template that loops keeps no other waiting.
 * The slots of renders bound how many there are.
 */
export class TemplateThreads {
  readonly #pool: WorkerPool<FillJob, FillOutcome>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#pool = new WorkerPool({
      module: new URL('./fill-texts.ts', import.meta.url),
      name: 'pdf templates',
      heapMb: HEAP_MB - YOUNG_HEAP_MB,
      youngHeapMb: YOUNG_HEAP_MB,
      idleMs: IDLE_MS,
      endsOnAbort: true,
      ...overrides,
    });
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#pool.threads;
  }

  /**
   * Fills the templates of a request. Throws ApiError after 1 s of work or if they fill the memory,
   * WorkerFailure, and the signal's reason; the thread is then ended.
   */
  run(job: FillJob, signal: AbortSignal): Promise<FillOutcome> {
    return this.#pool.use(async (thread) => {
      // The time that a thread takes to start does not count as a template's.
      if (!thread.isRunning) await thread.run(NO_JOB, { signal });
      const limit = joinSignals([signal]);
      // After a long turn of the main thread, timers run before the messages that have arrived.
      const timer = setTimeout(
        () => setImmediate(() => limit.abort(createFault('timeout', TOO_LONG))),
        MAX_FILL_MS,
      );
      try {
        return await thread.run(job, { signal: limit.signal });
      } catch (error) {
        const isFull = error instanceof WorkerFailure && error.reason === 'memory';
        throw isFull ? createFault('render_failed', TOO_LARGE, error) : error;
      } finally {
        clearTimeout(timer);
        limit.close();
      }
    });
  }

  /** Ends all threads; jobs in progress fail. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

const TOO_LONG = `The templates take longer than ${MAX_FILL_MS / 1_000} s: loop less, or compute it before you send data.`;
const TOO_LARGE = `The templates take more than ${HEAP_MB} MiB of memory: make their lists and texts smaller.`;

function createFault(code: 'render_failed' | 'timeout', message: string, cause?: Error): ApiError {
  return new ApiError(code, message, { param: 'template', cause });
}
