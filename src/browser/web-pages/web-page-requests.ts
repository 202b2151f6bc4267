import type { Protocol } from 'devtools-protocol';
import type { Page } from '../pages/page.ts';
import { isFailure, type FetchResource, type Resource } from '../resources/fetch-resource.ts';
import { isSameUrl } from '../resources/served-requests.ts';

type PausedRequest = Protocol.Fetch.RequestPausedEvent;
type ErrorReason = Protocol.Network.ErrorReason;

/**
 * The resources that scripts need. `Other` is the script of a worker. Frames are not read, so they are not
 * loaded.
 */
const LOADED_TYPES = new Set<Protocol.Network.ResourceType>([
  'Fetch',
  'Other',
  'Script',
  'Stylesheet',
  'XHR',
]);

/**
 * Headers that report to a server, open the page in another process (which nothing watches), or set state
 * that a render does not keep.
 */
const DROPPED_HEADERS = new Set([
  'clear-site-data',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'document-policy',
  'link',
  'nel',
  'origin-agent-cluster',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'set-cookie',
]);

/** The same limit as for the URL of a page that a client requests. */
const MAX_URL_LENGTH = 4096;

export interface WebPageRequestsOptions {
  /** The URL of the page. */
  url: string;
  fetchResource: FetchResource;
  /** Milliseconds until requests without a response fail. */
  timeoutMs: number;
  /** Called when a script, or a refresh, leads to another page. Its request stays without a response. */
  onNavigation: ((url: string) => void) | null;
}

/** Responds to the requests of a page of the web as its servers do. */
export class WebPageRequests {
  inFlight = 0;
  started = 0;
  /** Requests have failed because they had no response in time. */
  hasTimedOut = false;
  readonly #page: Page;
  readonly #options: WebPageRequestsOptions;
  readonly #aborter = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(page: Page, options: WebPageRequestsOptions) {
    this.#page = page;
    this.#options = options;
    this.#timer = setTimeout(() => {
      this.hasTimedOut = this.inFlight > 0;
      this.#aborter.abort();
    }, options.timeoutMs);
    page.onRequest = (paused) => {
      void this.#serve(paused);
    };
  }

  /** Cancels the requests in flight. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#page.onRequest = null;
    this.#aborter.abort();
  }

  async #serve(paused: PausedRequest): Promise<void> {
    const { request, resourceType, frameId } = paused;
    if (resourceType === 'Document') {
      if (frameId === this.#page.targetId && this.#reportNavigation(request)) return;
      // The document, or the empty document of the frame, stays.
      this.#fail(paused, 'Aborted');
    } else if (this.#isAllowed(request, resourceType)) await this.#respond(paused);
    else this.#fail(paused, 'BlockedByClient');
  }

  /** Reports a request that leads to another page. Returns false if it leads to none: the page stays. */
  #reportNavigation({ url, urlFragment = '', method }: Protocol.Network.Request): boolean {
    const { onNavigation, url: own } = this.#options;
    if (onNavigation === null || method !== 'GET' || !isHttp(url) || isSameUrl(url, own)) return false;
    const target = url + urlFragment;
    if (target.length > MAX_URL_LENGTH) return false;
    onNavigation(target);
    return true;
  }

  #isAllowed(
    { url, method, headers }: Protocol.Network.Request,
    type: Protocol.Network.ResourceType,
  ): boolean {
    if (!LOADED_TYPES.has(type) || (method !== 'GET' && method !== 'HEAD')) return false;
    if (Object.entries(headers).some(isUnneeded)) return false;
    // Mixed content: the browser's own check is off, for documents that become a PDF.
    return isHttp(url) && (url.startsWith('https:') || !this.#options.url.startsWith('https:'));
  }

  async #respond(paused: PausedRequest): Promise<void> {
    const { url, method } = paused.request;
    const headers = Object.fromEntries(Object.entries(paused.request.headers).filter(isSent));
    this.inFlight += 1;
    this.started += 1;
    try {
      const { signal } = this.#aborter;
      const resource = await this.#options.fetchResource({ url, method, headers }, signal);
      if (isFailure(resource)) this.#fail(paused, 'Failed');
      else this.#fulfill(paused, resource);
    } catch {
      this.#fail(paused, 'Failed');
    } finally {
      this.inFlight -= 1;
    }
  }

  /** The browser follows redirects, and decides by the headers who may read the response. */
  #fulfill({ requestId }: PausedRequest, { status, headers, body }: Resource): void {
    this.#page.sendAndForget('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: headers
        .filter(([name]) => !DROPPED_HEADERS.has(name))
        .map(([name, value]) => ({ name, value })),
      body,
    });
  }

  #fail({ requestId }: PausedRequest, errorReason: ErrorReason): void {
    this.#page.sendAndForget('Fetch.failRequest', { requestId, errorReason });
  }
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url);
}

/** Checks whether a header shows that no script waits for the response, or that the response never ends. */
function isUnneeded([name, value]: [string, string]): boolean {
  return /^(?:sec-)?purpose$/i.test(name) || (/^accept$/i.test(name) && value === 'text/event-stream');
}

/** Checks whether a header is sent: the page is a visitor without cookies who comes from nowhere. */
function isSent([name]: [string, string]): boolean {
  return !/^(?:cookie|referer)$/i.test(name);
}
