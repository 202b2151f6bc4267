import type { Protocol } from 'devtools-protocol';

/** A request that a document makes while it is rendered. */
export interface ResourceRequest {
  url: string;
  method: string;
  /** The headers of the document's request (Accept, Content-Type of a fetch body …), without cookies. */
  headers: Record<string, string>;
  body?: Uint8Array;
  /** False: a redirect is the resource, and the browser follows it. */
  followsRedirects?: boolean;
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

/** A resource that was not fetched. */
export interface ResourceFailure {
  /**
   * Why, as the end of a sentence about the resource: "did not answer in time". For the client: reveals
   * nothing about addresses that are not public.
   */
  failure: string;
}

/** Of one resource, as for a page of metadata. */
export const MAX_REDIRECTS = 10;

/** The failures that the browser's side finds. */
export const RESOURCE_FAILURES = {
  late: { failure: 'did not answer in time' },
  notHttp: { failure: 'has a URL that is not http:// or https://' },
  redirects: { failure: `could not be reached: it redirects more than ${MAX_REDIRECTS} times` },
  relative: { failure: 'has a relative URL, which needs base_url' },
} as const satisfies Record<string, ResourceFailure>;

/** A request of a document that was not served as the document expects it. */
export interface FailedRequest {
  /** Without its origin if the document has none that can be reached. */
  url: string;
  /** Image, Stylesheet, Font, Script, Document (a frame), Fetch … */
  type: Protocol.Network.ResourceType;
  /** As in ResourceFailure. */
  failure: string;
}

/** The limits for all requests of one render together. */
export interface ResourceBudget {
  maxBytes: number;
  /** Redirects count as requests. */
  maxRequests: number;
  /** The time from now until the last request must be done. */
  timeoutMs: number;
  /** Only GET and HEAD are sent. */
  isReadOnly?: boolean;
  /** Only public addresses are contacted, or only others, that the operator has opened. */
  reach?: 'public' | 'opened';
  /** The User-Agent header; default: the service's. */
  userAgent?: string;
  /** The Accept-Language header; default: the browser's. */
  language?: string | null;
  /** The rest of `maxBytes` and `maxRequests`, if several renders share them. It is counted down. */
  left?: BudgetRest;
}

/** The rest of a budget. Below 0, it has been exceeded. */
export interface BudgetRest {
  bytes: number;
  requests: number;
}

/**
 * Fetches one resource within the budget of its render. Never rejects: after a failure the document shows a
 * gap. Error statuses of a host are resources.
 */
export type FetchResource = (
  request: ResourceRequest,
  signal?: AbortSignal,
) => Promise<Resource | ResourceFailure>;

/** Checks whether a resource was not fetched. */
export function isFailure(outcome: Resource | ResourceFailure): outcome is ResourceFailure {
  return 'failure' in outcome;
}

/**
 * Opens the fetcher of one render, which shares nothing with other renders and sends no cookies.
 * `client` is the account whose connections per host are counted.
 */
export type OpenResourceFetcher = (budget: ResourceBudget, client: string) => FetchResource;
