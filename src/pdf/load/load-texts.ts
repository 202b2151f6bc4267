import { type FetchResource, isFailure, type Resource, type ResourceFailure } from '#browser';
import { type ContentsMarks, findMarks, rewriteStyleSheets } from '../contents/target-counters.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { computeResourceDeadlineMs, type PdfJob, runPhase } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import {
  type InlinedTemplates,
  type InlineLimits,
  inlineDocument,
  inlineTemplates,
  type StaticDocument,
} from './inline-document.ts';
import { prepareOffThread } from '../worker/off-thread.ts';

/** The texts of a document for the browser. */
export interface LoadedTexts {
  prepared: PreparedRequest;
  /** The document with its resources; null if it needs the warm lane. */
  document: StaticDocument | null;
  templates: InlinedTemplates;
  marks: ContentsMarks;
  fetchers: RenderFetchers;
}

/**
 * Prepares the texts of a document, and inlines the resources of one that may be static, within one budget.
 * The caller closes its fetchers. Throws ApiError, PageLostError ('deadline'), WorkerFailure and the signal's
 * reason.
 */
export function loadTexts(request: PdfRequest, job: PdfJob): Promise<LoadedTexts> {
  return runPhase(job, 'load', async () => {
    const prepared = await prepareOffThread(request, job);
    const marks = findMarks(prepared.html);
    const fetchers = new RenderFetchers(job, (fetchResource) =>
      rewriteStyleSheets(fetchResource, prepared.html, marks),
    );
    const limits = fetchers.getInlineLimits();
    try {
      const [document, templates] = await Promise.all([
        inlineDocument(prepared, limits),
        inlineTemplates(prepared.templates, prepared.baseUrl, limits),
      ]);
      return { prepared, document, templates, marks, fetchers };
    } catch (error) {
      fetchers.close();
      throw error;
    }
  });
}

const MAX_RESOURCE_BYTES = 50 * 1024 * 1024;
const MAX_RESOURCE_REQUESTS = 500;

type FetcherJob = Pick<PdfJob, 'openResourceFetcher' | 'client' | 'timeoutMs' | 'deadline' | 'signal'>;

/** The resource fetchers of one render. Nothing that was inlined is fetched a second time. */
export class RenderFetchers {
  readonly #job: FetcherJob;
  readonly #adapt: (fetchResource: FetchResource) => FetchResource;
  readonly #closed = new AbortController();
  readonly #inlined = new Map<string, Promise<Resource | ResourceFailure>>();
  /** Inlining and the first page have one budget. */
  #shared: FetchResource | null = null;
  #hasPage = false;

  /** `adapt` changes what is fetched. */
  constructor(job: FetcherJob, adapt = (fetchResource: FetchResource) => fetchResource) {
    this.#job = job;
    this.#adapt = adapt;
  }

  /** Returns how resources are fetched for inlining, within the time that is left for resources. */
  getInlineLimits(): InlineLimits {
    const { deadline, signal, timeoutMs } = this.#job;
    const fetchResource: FetchResource = (request, aborted) => {
      // A page may use the fetcher too, and its deadline begins later, when a browser runs.
      this.#shared ??= this.#open(timeoutMs);
      const fetching = this.#inlined.get(request.url) ?? this.#shared(request, aborted);
      this.#inlined.set(request.url, fetching);
      return fetching;
    };
    return { fetchResource, timeoutMs: computeResourceDeadlineMs(deadline.remainingMs), signal };
  }

  /** Returns the fetcher of a page. A budget of its own has `timeoutMs` from now. */
  fetchForPage(timeoutMs: number): FetchResource {
    const fetchResource = this.#hasPage ? this.#open(timeoutMs) : (this.#shared ??= this.#open(timeoutMs));
    this.#hasPage = true;
    return async (request, signal) => {
      const inlined = request.method === 'GET' ? await this.#inlined.get(request.url) : undefined;
      // The browser follows redirects itself.
      const isUsed = inlined !== undefined && (isFailure(inlined) || inlined.url === request.url);
      return isUsed ? inlined : fetchResource(request, signal);
    };
  }

  /** Cancels the requests in flight. */
  close(): void {
    // Most documents make none, and an error for their signal takes time.
    if (this.#shared !== null) this.#closed.abort();
  }

  #open(timeoutMs: number): FetchResource {
    const { openResourceFetcher, client } = this.#job;
    const budget = { maxBytes: MAX_RESOURCE_BYTES, maxRequests: MAX_RESOURCE_REQUESTS, timeoutMs };
    const fetchResource = this.#adapt(openResourceFetcher(budget, client));
    const { signal: closed } = this.#closed;
    return (request, signal) => fetchResource(request, signal ? AbortSignal.any([signal, closed]) : closed);
  }
}

/** A false match costs two calls of the page, and a hint too many. */
const MAY_HAVE_SCRIPTS = /<script|[\s"'/]on[a-z]+\s*=|javascript:/i;

/** Checks whether a document may have scripts that run. */
export function mayRunScripts({ javascript }: { javascript: boolean }, html: string): boolean {
  return javascript && MAY_HAVE_SCRIPTS.test(html);
}
