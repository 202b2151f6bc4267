/** The interface through which a page is rendered. `#browser` implements it. */
import { ApiError } from '#errors';
import { workInTurn } from '#concurrency';
import type { METADATA_OPTIONS } from '../metadata-options.ts';
import type { FetchedPage, PageIdentity } from '../page/fetch-page.ts';
import { MetadataReader } from '../page/metadata-reader.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { hasCard, looksLikeShell } from './looks-like-shell.ts';

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
  /** The rest for this render and for the renders of pages that it leads to. RenderPage counts it down. */
  budget: RenderBudget;
}

/** The rest of what the pages that one call renders, and their scripts, may load in all. */
interface RenderBudget {
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
export type RenderMode = (typeof METADATA_OPTIONS)['render']['enum'][number];

const MAX_HTML_BYTES = 2 * 1024 * 1024;
/** Time that is left to respond with the fetched page if the render takes too long. */
const RESPONSE_MS = 300;
/** It takes little time to check whether a page of this size is a shell. */
const SMALL_BYTES = 16 * 1024;
/** No page is drawn in less time. */
const MIN_RENDER_MS = 200;

/** Returns the budget of a call: 100 requests and 5 MiB, however many pages scripts lead to. */
export function createRenderBudget(): RenderBudget {
  return { requests: 100, bytes: 5 * 1024 * 1024 };
}

/** A fetched page that may be rendered. */
interface PageToRender {
  fetched: FetchedPage;
  scanned: ScannedPage;
  /** Returns its body, as far as it was read. Called only if it is needed: it may be a copy. */
  joinBody: () => Uint8Array;
  /** The URL that was requested, whose fragment scripts may read. */
  requested: URL;
  mayNavigate: boolean;
  identity: PageIdentity;
  /** Milliseconds until the response is due. */
  getRemainingMs: () => number;
  budget: RenderBudget;
}

/**
 * Renders a page if `mode` asks for it; null if not. With `auto`, a render for which the service has no place
 * or no browser has failed, with `true` it is an error: ApiError as RenderPage rejects with. Rejects with the
 * signal's reason.
 */
export async function renderIfWanted(
  renderPage: RenderPage | undefined,
  mode: RenderMode,
  page: PageToRender,
  signal: AbortSignal,
): Promise<RenderOutcome | null> {
  if (renderPage === undefined || !(await isWanted(mode, page))) return null;
  const timeoutMs = page.getRemainingMs() - RESPONSE_MS;
  // A private page may hold what a public one has put into its URL: its scripts do not run.
  const { reach = 'public' } = page.fetched;
  if (reach === 'mixed') return { kind: 'failed' };
  if (timeoutMs < MIN_RENDER_MS) return { kind: 'failed', isLate: true };
  const { finalUrl, status, headers } = page.fetched.head;
  const url = new URL(finalUrl);
  url.hash = page.fetched.fragment ?? page.requested.hash;
  const request = {
    url: url.href,
    status,
    headers,
    contentType: formatContentType(page.scanned),
    body: page.joinBody(),
    reach,
    mayNavigate: page.mayNavigate,
    ...page.identity,
    timeoutMs,
    budget: page.budget,
  };
  try {
    return await renderPage(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (mode === 'auto' && error instanceof ApiError) return { kind: 'failed' };
    throw error;
  }
}

async function isWanted(mode: RenderMode, { fetched, scanned, joinBody }: PageToRender): Promise<boolean> {
  const { html } = scanned;
  if (mode === 'false' || html === null || fetched.end === 'timeout' || fetched.end === 'cut') return false;
  if (mode === 'true') return true;
  if (hasCard(html.tags)) return false;
  const body = joinBody();
  if (body.length <= SMALL_BYTES) return looksLikeShell(body, html.tags);
  return workInTurn(() => looksLikeShell(body, html.tags));
}

/** Returns the type by which the browser parses the page as the reader did. */
function formatContentType({ html, charset }: ScannedPage): string {
  const type = html?.tags.isXml === true ? 'application/xhtml+xml' : 'text/html';
  return charset === null ? type : `${type}; charset=${charset}`;
}

/**
 * Scans a rendered document. Its URL is its own; its status, headers and charset come from the fetched page.
 */
export async function scanRenderedPage(
  { url, html }: { url: string; html: string },
  { head, contentType, charset, html: fetched }: ScannedPage,
  options: { details: boolean },
): Promise<ScannedPage | null> {
  const reader = new MetadataReader({ details: options.details, stopsEarly: false });
  const type = fetched?.tags.isXml === true ? 'application/xhtml+xml' : 'text/html';
  const finalUrl = new URL(url);
  finalUrl.hash = '';
  reader.start({
    ...head,
    finalUrl: finalUrl.href,
    headers: new Map([['content-type', `${type}; charset=utf-8`]]),
  });
  await workInTurn(() => {
    reader.write(Buffer.from(html).subarray(0, MAX_HTML_BYTES));
    reader.finish();
  });
  const scanned = reader.page;
  if (scanned === null) return null;
  return { ...scanned, head: { ...head, finalUrl: finalUrl.href }, contentType, charset };
}
