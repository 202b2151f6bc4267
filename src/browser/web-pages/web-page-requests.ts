import { onAbort } from '#concurrency';
import type { Protocol } from 'devtools-protocol';
import type { Page, PausedRequest } from '../pages/page.ts';
import { isFailure, type FetchResource } from '../resources/fetch-resource.ts';
import { PageRequests, selectHeaders } from '../resources/page-requests.ts';

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

interface WebPageRequestsOptions {
  /** The URL of the page. */
  url: string;
  fetchResource: FetchResource;
  /** Milliseconds until requests without a response fail. */
  timeoutMs: number;
  /** Called when a script, or a refresh, leads to another page. Its request stays without a response. */
  onNavigation: ((url: string) => void) | null;
}

/** Responds to the requests of a page of the web as its servers do. */
export class WebPageRequests extends PageRequests {
  /** Requests have failed because they had no response in time. */
  hasTimedOut = false;
  readonly #options: WebPageRequestsOptions;

  constructor(page: Page, options: WebPageRequestsOptions) {
    super(page, options.timeoutMs);
    this.#options = options;
    onAbort(this.deadline.signal, () => {
      this.hasTimedOut = this.inFlight > 0;
    });
  }

  protected override async respond(paused: PausedRequest): Promise<void> {
    const { request, resourceType } = paused;
    if (resourceType === 'Document') {
      if (this.isNavigation(paused) && this.#reportNavigation(request)) return;
      // The document, or the empty document of the frame, stays.
      this.fail(paused, 'Aborted');
    } else if (this.#isAllowed(request, resourceType)) await this.count(this.#fetch(paused));
    else this.fail(paused, 'BlockedByClient');
  }

  /** Reports a request that leads to another page. Returns false if it leads to none: the page stays. */
  #reportNavigation({ url, urlFragment = '', method }: Protocol.Network.Request): boolean {
    const { onNavigation, url: own } = this.#options;
    if (onNavigation === null || method !== 'GET' || !isHttp(url) || normalizeUrl(url) === normalizeUrl(own))
      return false;
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

  /** The browser follows redirects, and decides by the headers who may read the response. */
  async #fetch(paused: PausedRequest): Promise<void> {
    const { url, method } = paused.request;
    const headers = Object.fromEntries(Object.entries(paused.request.headers).filter(isSent));
    const request = { url, method, headers, followsRedirects: false };
    const resource = await this.#options.fetchResource(request, this.deadline.signal);
    if (isFailure(resource)) return this.fail(paused, 'Failed');
    const responseHeaders = selectHeaders(resource.headers, DROPPED_HEADERS);
    this.fulfill(paused, { responseCode: resource.status, responseHeaders, body: resource.body });
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

/** Removes the fragment of a URL, so that URLs of one page are equal. */
function normalizeUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  return url.href;
}
