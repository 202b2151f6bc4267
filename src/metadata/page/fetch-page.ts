/** The interface through which a page is fetched. `#egress` implements it. */
import type { METADATA_OPTIONS } from '../metadata-options.ts';

/** A hop that led to another: by a redirect, or by a meta refresh. */
export interface PageHop {
  url: string;
  status: number;
  /** As in PageHead. */
  headers: ReadonlyMap<string, string>;
}

/** The head of the last hop's response. */
export interface PageHead {
  /** The absolute URL that responded, after redirects, without fragment. */
  finalUrl: string;
  status: number;
  /** Names in lower case. Of a repeated header: the first value, or all of them if it is a list. */
  headers: ReadonlyMap<string, string>;
  /** The hops before this one, oldest first. */
  redirects: PageHop[];
}

/**
 * Receives a page as it arrives. A method that returns false needs no more: no further method is called, and
 * the connection is closed unless the rest of the body is short.
 */
export interface PageReader {
  /** Called once, with the head of the final response. */
  start(head: PageHead): boolean;
  /**
   * Called with the bytes of the body, Content-Encoding decoded, in order, at most 2 MiB in total. The reader
   * may keep them: they are not written to again.
   */
  write(chunk: Uint8Array): boolean;
  /** True if further bytes are unlikely to matter: the fetch then waits for them only briefly. */
  readonly isEnough?: boolean;
}

/**
 * The reason why no more bytes came: the body ended (`complete`), the reader needed no more (`stopped`), 2
 * MiB were decoded (`capped`), or, after the head had arrived, the deadline passed (`timeout`) or the target
 * disconnected (`cut`).
 */
export type PageEnd = 'complete' | 'stopped' | 'capped' | 'timeout' | 'cut';

/**
 * The program that the service introduces itself as: its bot, its bot that says that it makes a link preview,
 * or a current browser.
 */
export type UserAgentKind = (typeof METADATA_OPTIONS)['user_agent']['enum'][number];

/** The headers of a page's request that the caller chooses. */
export interface PageIdentity {
  /** The Accept-Language header in the form of `parseAcceptLanguage`; null for none. */
  language: string | null;
  userAgent: UserAgentKind;
}

export interface FetchPageRequest extends Partial<PageIdentity> {
  /** The account whose share of the connections to a host is used. Opaque. */
  client: string;
  /** http or https, without credentials. Its fragment is not sent. */
  url: URL;
  followRedirects: boolean;
  /** The whole budget in milliseconds, from the first DNS lookup to the last byte. */
  timeoutMs: number;
  /** The state of the pages before a meta refresh: their cookies and redirects apply to this one. */
  visit?: PageVisit;
  /** The Accept header; default: the one for a page. */
  accept?: string;
  /** Redirects after which the target is `unreachable`; default 10. */
  maxRedirects?: number;
  /** A script of a page with this reach leads here: no other address is contacted. */
  reach?: 'public' | 'opened';
  /** Observes the phases of each hop. */
  startPhase?: StartPhase | undefined;
}

/** Called at the start of a phase. Returns the function to call at its end, however it ends. */
export type StartPhase = (phase: PagePhase) => () => void;

/**
 * The phases of a page: `queue` (for a share), `dns`, `connect` (with TLS), `first_byte` (until the head),
 * `body`, `render`.
 */
export type PagePhase = 'queue' | 'dns' | 'connect' | 'first_byte' | 'body' | 'render';

/** The state that one request carries over several pages. Created by the fetcher. */
export interface PageVisit {
  redirects: PageHop[];
  /** The cookies, and what else the fetcher keeps. Opaque to the operation. */
  state: unknown;
}

export interface FetchedPage {
  head: PageHead;
  end: PageEnd;
  visit: PageVisit;
  /** `public` if it is missing. */
  reach?: PageReach;
  /** With `#`: of the last redirect that has one, else of the request; scripts may read it. */
  fragment?: string;
}

/**
 * The address that responded: `public`; `opened` by the operator, and so was each before it; or `mixed`:
 * opened, but a public one led there.
 */
export type PageReach = 'public' | 'opened' | 'mixed';

/**
 * Fetches a page from a public address and passes it to the reader. Rejects with the signal's reason, or with
 * ApiError
 * - `timeout`: no head within the budget,
 * - `unreachable`: DNS failure, connection refused, an address that is not public, a malformed response, a
 *   redirect loop, or a body that cannot be decoded from its first byte on,
 * - `overloaded`: no connection was free,
 * - `rate_limit_exceeded`: the client uses its share of the connections to the host.
 */
export type FetchPage = (
  request: FetchPageRequest,
  reader: PageReader,
  signal?: AbortSignal,
) => Promise<FetchedPage>;
