/** A request that a document makes while it is rendered. */
export interface ResourceRequest {
  url: string;
  method: string;
  /** The headers of the document's request (Accept, Content-Type of a fetch body …), without cookies. */
  headers: Record<string, string>;
  body?: Uint8Array;
}

export interface Resource {
  /** The URL after the redirects that the fetcher followed, without a fragment. */
  url: string;
  status: number;
  /** The response headers with names in lower case, without Set-Cookie. */
  headers: [name: string, value: string][];
  /** The decoded body. */
  body: Uint8Array;
}

/** The limits for all requests of one render together. */
export interface ResourceBudget {
  maxBytes: number;
  /** Redirects count as requests. */
  maxRequests: number;
  /** The time from now until the last request must be done. */
  timeoutMs: number;
}

/**
 * Fetches one resource within the budget of its render. Returns null on any failure: the document then shows
 * a gap.
 */
export type FetchResource = (request: ResourceRequest, signal?: AbortSignal) => Promise<Resource | null>;

/**
 * Opens the fetcher of one render, which shares nothing with other renders and sends no cookies.
 * `client` is the account whose connections per host are counted.
 */
export type OpenResourceFetcher = (budget: ResourceBudget, client: string) => FetchResource;
