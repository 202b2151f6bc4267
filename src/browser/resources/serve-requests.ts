import type { Protocol } from 'devtools-protocol';
import { OWN_URL, type Page } from '../pages/page.ts';
import type { FetchResource, Resource } from './fetch-resource.ts';
import { toPreflightResponse, toRedirect, toResponse, type SuppliedResponse } from './cross-origin.ts';
import { FollowedRedirects, isSameUrl } from './followed-redirects.ts';

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

/** The requests of one document. */
export interface ServedRequests {
  readonly inFlight: number;
  /** Requests that the document has made so far. */
  readonly started: number;
  /** Cancels the requests in flight. */
  stop(): void;
}

/**
 * Answers the document's requests with what `fetchResource` returns. What it cannot fetch within `timeoutMs`
 * fails.
 */
export function serveRequests(
  page: Page,
  options: { fetchResource: FetchResource; timeoutMs: number },
): ServedRequests {
  return new RequestServer(page, options);
}

class RequestServer implements ServedRequests {
  inFlight = 0;
  started = 0;
  readonly #page: Page;
  readonly #fetchResource: FetchResource;
  readonly #aborter = new AbortController();
  readonly #timeout: NodeJS.Timeout;
  readonly #aborted: Promise<null>;
  readonly #redirects = new FollowedRedirects(this.#aborter.signal);

  constructor(page: Page, { fetchResource, timeoutMs }: { fetchResource: FetchResource; timeoutMs: number }) {
    const { signal } = this.#aborter;
    this.#page = page;
    this.#fetchResource = fetchResource;
    this.#timeout = setTimeout(() => this.#aborter.abort(), timeoutMs);
    this.#aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    page.onRequest = (paused) => {
      void this.#serve(paused);
    };
  }

  stop(): void {
    this.#page.onRequest = null;
    clearTimeout(this.#timeout);
    this.#aborter.abort();
  }

  async #serve(paused: PausedRequest): Promise<void> {
    this.inFlight += 1;
    this.started += 1;
    try {
      await this.#answer(paused);
    } catch {
      this.#fail(paused, 'Failed');
    } finally {
      this.inFlight -= 1;
    }
  }

  /**
   * Answers one request. If the response is a redirect, resolves when the browser has followed it.
   */
  async #answer(paused: PausedRequest): Promise<void> {
    const { request } = paused;
    const held = this.#redirects.take(paused);
    if (held) return this.#fulfill(paused, toResponse(request, held));
    // The document may not navigate, only its frames may.
    if (paused.resourceType === 'Document' && paused.frameId === this.#page.targetId)
      return this.#fail(paused, 'Aborted');
    const preflight = toPreflightResponse(request);
    if (preflight) return this.#fulfill(paused, preflight);
    const resource = await this.#fetch(request);
    if (!resource) return this.#fail(paused, 'Failed');
    if (!mustFollow(paused, resource)) return this.#fulfill(paused, toResponse(request, resource));
    const followed = this.#redirects.hold(paused, resource);
    this.#fulfill(paused, toRedirect(resource.url, request));
    await followed;
  }

  /** Fetches a resource; null if it cannot be fetched in time. */
  async #fetch(request: Protocol.Network.Request): Promise<Resource | null> {
    const { signal } = this.#aborter;
    if (!/^https?:/i.test(request.url) || request.url.startsWith(OWN_URL) || signal.aborted) return null;
    const { url, method } = request;
    const headers = selectHeaders(request.headers);
    const fetching = this.#fetchResource({ url, method, headers, ...toBody(request) }, signal);
    return Promise.race([fetching, this.#aborted]).catch(() => null);
  }

  #fulfill({ requestId }: PausedRequest, response: SuppliedResponse): void {
    this.#page.sendAndForget('Fetch.fulfillRequest', { requestId, ...response });
  }

  #fail({ requestId }: PausedRequest, errorReason: 'Aborted' | 'Failed'): void {
    this.#page.sendAndForget('Fetch.failRequest', { requestId, errorReason });
  }
}

/**
 * Checks whether the browser must follow the redirect of the fetcher: relative URLs in the resource depend on
 * its last URL. After a redirect the browser reports a GET or HEAD as the same request. It would only repeat
 * other methods, and fonts, which contain no URLs.
 */
function mustFollow({ request, resourceType }: PausedRequest, { url }: Resource): boolean {
  return /^(?:GET|HEAD)$/.test(request.method) && resourceType !== 'Font' && !isSameUrl(request.url, url);
}

/** Drops headers about cookies and about where the request comes from. */
function selectHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:cookie|origin|referer)$/i.test(name)),
  );
}

function toBody(request: Protocol.Network.Request): { body?: Uint8Array } {
  const bytes = request.postDataEntries?.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'));
  if (bytes && bytes.length > 0) return { body: Buffer.concat(bytes) };
  return request.postData === undefined ? {} : { body: Buffer.from(request.postData) };
}
