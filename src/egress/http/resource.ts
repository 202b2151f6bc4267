/** A request of a document that is being rendered. */
export interface ResourceRequest {
  url: string;
  method: string;
  /** The headers of the document's request; only harmless ones are sent, no cookies. */
  headers: Record<string, string>;
  body?: Uint8Array;
}

export interface Resource {
  /** The URL of the final response, after redirects. */
  url: string;
  status: number;
  /** Names lower case, without set-cookie and those of the transfer; Content-Encoding is decoded. */
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** The limits of one render. */
export interface ResourceBudget {
  maxBytes: number;
  /** Redirects count as requests. */
  maxRequests: number;
  /** Milliseconds from now for all requests together. */
  timeoutMs: number;
}

/** Fetches one resource within the budget of its render; null if that fails for any reason. Never rejects. */
export type FetchResource = (request: ResourceRequest, signal?: AbortSignal) => Promise<Resource | null>;

/**
 * Opens the fetcher of one render. `client` is an opaque key: connections to a host are shared fairly among
 * clients.
 */
export type OpenResourceFetcher = (budget: ResourceBudget, client: string) => FetchResource;
