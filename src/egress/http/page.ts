/** A hop that led on: by a redirect, or by a refresh of its page. */
export interface PageHop {
  url: string;
  status: number;
  /** As those of PageHead. */
  headers: ReadonlyMap<string, string>;
}

/** The status line and headers that the last hop answered, before its body. */
export interface PageHead {
  /** The absolute URL that answered, after redirects, without fragment. */
  finalUrl: string;
  status: number;
  /** Lower-case names; where one came more than once the first value, or all of them for one that is a list. */
  headers: ReadonlyMap<string, string>;
  /** The hops before this one, oldest first. */
  redirects: PageHop[];
}

/** Takes a page as it arrives. Either method answers false for «no more is needed»: nothing more is called, and the connection is dropped unless the rest is short. */
export interface PageReader {
  /** Called once, with the final answer's head. */
  start(head: PageHead): boolean;
  /** Called with body bytes after Content-Encoding was undone, in order, at most 2 MiB in all. */
  write(chunk: Uint8Array): boolean;
}

/** How the reading ended. `complete`: the body's end. `stopped`: the reader had enough. `capped`: 2 MiB decoded. `timeout`, `cut`: the deadline or the network came first, after the head was in. */
export type PageEnd = 'complete' | 'stopped' | 'capped' | 'timeout' | 'cut';

export interface FetchPageRequest {
  /** Who asks: connections to a host are shared fairly among clients. Opaque. */
  client: string;
  /** http or https, without credentials; its fragment is not sent. */
  url: URL;
  followRedirects: boolean;
  /** The whole budget in milliseconds, from the first look-up to the last byte. */
  timeoutMs: number;
  /** A visit over several pages (a meta refresh): the jar and the redirects already spent are carried on. */
  visit?: PageVisit;
}

/** What one caller's walk over pages has gathered; made by the fetcher, opaque to the operation. */
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
 * Fetches a page from a public address and feeds the reader.
 * Rejects with ApiError `timeout` (no head within the budget) or `unreachable` (DNS failure, refused or non-public address, broken answer,
 * a redirect loop, or a body whose encoding is broken before any byte of it was decoded) or `overloaded` (no connection to be had), or with the
 * signal's reason.
 */
export type FetchPage = (
  request: FetchPageRequest,
  reader: PageReader,
  signal?: AbortSignal,
) => Promise<FetchedPage>;
