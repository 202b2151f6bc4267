/** A hop that led to another: by a redirect, or by a meta refresh. */
export interface PageHop {
  url: string;
  status: number;
  /** As in PageHead. */
  headers: ReadonlyMap<string, string>;
}

/** The status and headers of the final response. */
export interface PageHead {
  /** The absolute URL of the final response, after redirects, without fragment. */
  finalUrl: string;
  status: number;
  /**
   * Values by lower-case name. Of a repeated name, the first value; all of them, joined, for a list field.
   */
  headers: ReadonlyMap<string, string>;
  /** The hops before this one, oldest first. */
  redirects: PageHop[];
}

/**
 * Receives a page as it arrives. Either method returns false to stop: nothing more is called then, and the
 * connection is closed unless the rest is short.
 */
export interface PageReader {
  /** Called once, with the head of the final response. */
  start(head: PageHead): boolean;
  /** Called with bytes of the body, in order, with Content-Encoding decoded; at most 2 MiB in total. */
  write(chunk: Uint8Array): boolean;
}

/**
 * The end of a body. `complete`: with its end. `stopped`: the reader stopped. `capped`: 2 MiB were decoded.
 * `timeout`, `cut`: the deadline passed or the connection broke, after the head.
 */
export type PageEnd = 'complete' | 'stopped' | 'capped' | 'timeout' | 'cut';

export interface FetchPageRequest {
  /** An opaque key of the caller: connections to a host are shared fairly among clients. */
  client: string;
  /** http or https, without credentials; its fragment is not sent. */
  url: URL;
  followRedirects: boolean;
  /** The time budget in milliseconds, from the first lookup to the last byte. */
  timeoutMs: number;
  /** The visit so far, if this page follows another (a meta refresh): its cookies and redirects. */
  visit?: PageVisit;
}

/** The state of a visit over several pages. Created by the fetcher, opaque to the caller. */
export interface PageVisit {
  redirects: PageHop[];
  cookies: unknown;
}

export interface FetchedPage {
  head: PageHead;
  end: PageEnd;
  visit: PageVisit;
}

/**
 * Fetches a page from a public address and passes its body to the reader. Rejects with the signal's reason,
 * or with an ApiError: `timeout` (no head within the budget), `overloaded` (no connection is free),
 * `rate_limit_exceeded` (the client's share of the host), or `unreachable` (DNS failure, connection refused,
 * an address that is not permitted, a malformed response, a redirect loop, or a body of which no byte could
 * be decoded).
 */
export type FetchPage = (
  request: FetchPageRequest,
  reader: PageReader,
  signal?: AbortSignal,
) => Promise<FetchedPage>;
