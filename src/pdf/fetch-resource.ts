/** What a document that is being rendered asks for. */
export interface ResourceRequest {
  url: string;
  method: string;
  /** Headers that the document's own request carries (Accept, Content-Type of a fetch body …); never cookies. */
  headers: Record<string, string>;
  body?: Uint8Array;
}

export interface Resource {
  /** The address that answered, after the redirects that the fetcher followed; without a fragment. */
  url: string;
  status: number;
  /** As answered, names lower case; never set-cookie; Content-Encoding already undone. */
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** How much one render may still fetch. Opened by the fetcher for a render and shared by all its requests. */
export interface ResourceBudget {
  maxBytes: number;
  maxRequests: number;
  /** Milliseconds from now in which everything must be done. */
  timeoutMs: number;
}

/** Fetches one resource over the guard, within its render's budget. Null where it cannot be had, for whatever reason: the document shows a gap. */
export type FetchResource = (request: ResourceRequest, signal?: AbortSignal) => Promise<Resource | null>;

/**
 * Opens a render's own fetcher: its budget, its deadline, no cookies, nothing shared with other renders.
 * `client` names the account that the connections to a host are counted for.
 */
export type OpenResourceFetcher = (budget: ResourceBudget, client: string) => FetchResource;
