import type { FetchResource } from '#browser';
import type { PreparedRequest } from './prepare-request.ts';
import { computeResourceDeadlineMs, type PdfJob, runPhase } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { type InlineOutcome, RenderFetchers, inlineDocument } from './inline-document.ts';
import { type InlinedTemplates, inlineTemplates } from './inline-templates.ts';
import { prepareOffThread } from '../worker/off-thread.ts';

/** The texts of a document for the browser, with their resources if it is static. */
export interface LoadedTexts {
  prepared: PreparedRequest;
  inlined: InlineOutcome & { templates: InlinedTemplates };
  /** Fetches what a page requests. Nothing that was inlined is fetched a second time. */
  fetchers: PageFetchers;
}

/** The fetchers of the pages of one document. */
export interface PageFetchers {
  /** Returns the fetcher of a page; the first one shares the budget of what was inlined. */
  fetchForPage: (timeoutMs: number) => FetchResource;
  /** Cancels the requests in flight. */
  close: () => void;
}

/**
 * Prepares the texts of a document, and inlines the resources of one that may be static. The caller closes
 * its fetchers. Throws ApiError, PageLostError ('deadline'), WorkerFailure and the signal's reason.
 */
export function loadTexts(request: PdfRequest, job: PdfJob): Promise<LoadedTexts> {
  const fetchers = new RenderFetchers(job.openResourceFetcher, job.accountId);
  return runPhase(job, 'load', async () => {
    try {
      const prepared = await prepareOffThread(request, job);
      const inlined = await inline(prepared, fetchers, job);
      let pages = 0;
      const fetchForPage = (timeoutMs: number): FetchResource => {
        pages += 1;
        return inlined.reuseFetched(pages === 1 ? fetchers.share(timeoutMs) : fetchers.open(timeoutMs));
      };
      return { prepared, inlined, fetchers: { fetchForPage, close: () => fetchers.close() } };
    } catch (error) {
      fetchers.close();
      throw error;
    }
  });
}

/** Inlines the resources of the document, the header and the footer, within one budget. */
async function inline(
  prepared: PreparedRequest,
  fetchers: RenderFetchers,
  { timeoutMs: maxMs, deadline, signal }: PdfJob,
): Promise<LoadedTexts['inlined']> {
  const limits = { timeoutMs: computeResourceDeadlineMs(deadline.remainingMs), signal };
  // A page may use the fetcher too, and its deadline begins later, when a browser runs.
  const openFetcher = (): FetchResource => fetchers.share(maxMs);
  const [document, templates] = await Promise.all([
    inlineDocument(prepared, openFetcher, limits),
    inlineTemplates(prepared, openFetcher, limits),
  ]);
  return { ...document, templates };
}

/** A false match costs two calls of the page, and a hint too many. */
const MAY_HAVE_SCRIPTS = /<script|[\s"'/]on[a-z]+\s*=|javascript:/i;

/** Checks whether a document may have scripts that run. */
export function mayRunScripts({ javascript }: { javascript: boolean }, html: string): boolean {
  return javascript && MAY_HAVE_SCRIPTS.test(html);
}
