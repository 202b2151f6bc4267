import { openDeadline } from '#concurrency';
import type { FailedRequest, FetchResource, OpenResourceFetcher } from '#browser';
import { toStaticHtml } from './prepare-document.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { inlineResources } from './inline-resources.ts';
import { NotInlinableError, ResourceLoader } from './resource-loader.ts';

/** A document that needs no request: for the static lane. */
export interface StaticDocument {
  html: string;
  /** The document's URL; null if any will do. */
  url: string | null;
  /** It may have animations. */
  isMoving: boolean;
  /** It changes something that the next document of the page would inherit. */
  leavesState: boolean;
  /** The language that selects its fonts for Han characters; null without one. */
  hanLanguage: string | null;
  /** The counter styles of the page numbers that its style sheets show. */
  counterStyles: readonly string[];
  /** The resources that it shows gaps for. */
  failures: readonly FailedRequest[];
}

export interface InlineOutcome {
  /** Null if the document needs a page of its own. */
  document: StaticDocument | null;
  /** Returns a fetcher for such a page that fetches nothing a second time. */
  reuseFetched: (fetchResource: FetchResource) => FetchResource;
}

/** Inlining a large document would hold the event loop, and gain nothing: its page is used only once. */
const MAX_DOCUMENT_LENGTH = 512 * 1024;
const MAX_PARTS = 1_000;

const REUSE_NOTHING: InlineOutcome['reuseFetched'] = (fetchResource) => fetchResource;

/**
 * Makes the document of the static lane, with its resources inlined. `openFetcher` is called if there are
 * any. Throws the reason of `signal`.
 */
export async function inlineDocument(
  { html, headStart, styleStart, scanned, url }: PreparedRequest,
  openFetcher: () => FetchResource,
  limits: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<InlineOutcome> {
  if (scanned === null) return { document: null, reuseFetched: REUSE_NOTHING };
  const { parts, base, needsUrl, isMoving, leavesState, hanLanguage } = scanned;
  const hasBase = base !== null;
  const own = { url: needsUrl ? url : null, isMoving, leavesState, hanLanguage, counterStyles: [] };
  if (parts.length === 0)
    return {
      document: { ...own, html: toStaticHtml({ html, headStart, styleStart }, { hasBase }), failures: [] },
      reuseFetched: REUSE_NOTHING,
    };
  if (html.length > MAX_DOCUMENT_LENGTH || parts.length > MAX_PARTS)
    return { document: null, reuseFetched: REUSE_NOTHING };
  const deadline = openDeadline(limits.timeoutMs, limits.signal);
  const loader = new ResourceLoader(openFetcher(), deadline.signal);
  const baseUrl = base === null ? null : (URL.parse(base, url ?? undefined)?.href ?? null);
  const inlined = await inlineResources(html, parts, { baseUrl, loader })
    .catch(ignoreNotInlinable)
    .finally(() => deadline.close());
  limits.signal?.throwIfAborted();
  return {
    document: inlined && {
      ...own,
      html: toStaticHtml({ html: inlined.text, headStart, styleStart }, { hasBase }),
      isMoving: isMoving || inlined.isMoving,
      leavesState: leavesState || inlined.leavesState,
      counterStyles: [...loader.counterStyles],
      failures: loader.failures,
    },
    reuseFetched: (fetchResource) => loader.reuse(fetchResource),
  };
}

function ignoreNotInlinable(error: unknown): null {
  if (error instanceof NotInlinableError) return null;
  throw error;
}

const MAX_RESOURCE_BYTES = 50 * 1024 * 1024;
const MAX_RESOURCE_REQUESTS = 500;

/** Opens the resource fetchers of one render. */
export class RenderFetchers {
  readonly #openResourceFetcher: OpenResourceFetcher;
  readonly #accountId: string;
  readonly #closed = new AbortController();
  #shared: FetchResource | null = null;
  #hasOpened = false;

  constructor(openResourceFetcher: OpenResourceFetcher, accountId: string) {
    this.#openResourceFetcher = openResourceFetcher;
    this.#accountId = accountId;
  }

  /**
   * Returns a fetcher for inlining and for a page, which have one budget. It is opened by the first call;
   * `timeoutMs` counts from then.
   */
  share(timeoutMs: number): FetchResource {
    return (this.#shared ??= this.open(timeoutMs));
  }

  /** Opens a fetcher with a budget of its own. */
  open(timeoutMs: number): FetchResource {
    this.#hasOpened = true;
    const budget = { maxBytes: MAX_RESOURCE_BYTES, maxRequests: MAX_RESOURCE_REQUESTS, timeoutMs };
    const fetchResource = this.#openResourceFetcher(budget, this.#accountId);
    const { signal: closed } = this.#closed;
    return (request, signal) => fetchResource(request, signal ? AbortSignal.any([signal, closed]) : closed);
  }

  /** Cancels the requests in flight. Most documents make none, and an error for their signal takes time. */
  close(): void {
    if (this.#hasOpened) this.#closed.abort();
  }
}
