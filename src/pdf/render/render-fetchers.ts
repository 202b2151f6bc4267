import type { FetchResource, OpenResourceFetcher } from '#browser';

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
