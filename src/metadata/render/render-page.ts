/** The interface through which a page is rendered. `#browser` implements it. */
import type { PageIdentity } from '../page/fetch-page.ts';

/** A fetched page, to be opened in a browser. */
export interface RenderPageRequest extends PageIdentity {
  /** The URL that responded, with the fragment of the request. */
  url: string;
  status: number;
  /** As in PageHead. */
  headers: ReadonlyMap<string, string>;
  /** The MIME type and the charset of the body. */
  contentType: string;
  body: Uint8Array;
  /** The addresses that the page may contact: public ones, or those that the operator has opened. */
  reach: 'public' | 'opened';
  /** A script that leads to another page ends the render. If false, the page stays as it is. */
  mayNavigate: boolean;
  /** Milliseconds until the outcome is needed. */
  timeoutMs: number;
  /** The rest for this render and those of the pages that it leads to. RenderPage counts it down. */
  budget: RenderBudget;
}

/** The rest of what the pages that one call renders, and their scripts, may load in all. */
export interface RenderBudget {
  bytes: number;
  requests: number;
}

/**
 * The document that the page became, as markup, with its URL (`isIncomplete`: its requests had no response in
 * time); or the URL to which a script of the page leads; or `failed`: it could not be rendered, or (`isLate`)
 * not in time.
 */
export type RenderOutcome =
  | { kind: 'document'; url: string; html: string; isIncomplete?: boolean }
  | { kind: 'navigation'; url: string }
  | { kind: 'failed'; isLate?: boolean };

/**
 * Renders a page. Rejects with the signal's reason, or with ApiError `unavailable` (no browser), `overloaded`
 * or `rate_limit_exceeded` (no place for another render).
 */
export type RenderPage = (request: RenderPageRequest, signal: AbortSignal) => Promise<RenderOutcome>;

/** The pages that are rendered: none, all, or those that scripts have yet to draw. */
export type RenderMode = 'false' | 'true' | 'auto';
