/** What a document that is being rendered asks for. */
export interface ResourceRequest {
  url: string;
  method: string;
  /** Headers of the document's own request; only harmless ones are passed on, never cookies. */
  headers: Record<string, string>;
  body?: Uint8Array;
}

export interface Resource {
  /** The URL that answered, after redirects. */
  url: string;
  status: number;
  /** As answered, names lower case; never set-cookie; Content-Encoding already undone. */
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** How much one render may still fetch. */
export interface ResourceBudget {
  maxBytes: number;
  /** Redirects count as requests. */
  maxRequests: number;
  /** Milliseconds from now in which everything must be done. */
  timeoutMs: number;
}

/** Fetches one resource within its render's budget; null where it cannot be had, for whatever reason. */
export type FetchResource = (request: ResourceRequest, signal?: AbortSignal) => Promise<Resource | null>;

/** Opens a render's own fetcher. Connections to a host are shared fairly among clients; `client` is opaque. */
export type OpenResourceFetcher = (budget: ResourceBudget, client: string) => FetchResource;
