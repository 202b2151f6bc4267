import { randomUUID } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Page } from '../pages/page.ts';
import type { FetchResource, Resource } from './fetch-resource.ts';
import { toPreflightResponse, toRedirect, toResponse, type SuppliedResponse } from './cross-origin.ts';
import { FollowedRedirects, isSameUrl } from './followed-redirects.ts';

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

/** The requests of one document. */
export interface ServedRequests {
  readonly inFlight: number;
  /** Requests that scripts have made so far. Scripts need a moment more to use the responses. */
  readonly byScripts: number;
  /** Bytes of the responses to scripts so far. */
  readonly bytesToScripts: number;
  /**
   * Returns an expression that resolves in the page when all earlier requests of the page have arrived here.
   * Requests arrive in order, those that may carry cookies last; no other event is in order with them. So the
   * expression makes a request that may carry cookies, to a random URL, and that request fails.
   */
  createMarker(): string;
  /** Resolves when no request is in flight. */
  whenIdle(): Promise<void>;
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
  byScripts = 0;
  bytesToScripts = 0;
  readonly #page: Page;
  readonly #fetchResource: FetchResource;
  readonly #aborter = new AbortController();
  readonly #timeout: NodeJS.Timeout;
  readonly #aborted: Promise<null>;
  readonly #redirects = new FollowedRedirects(this.#aborter.signal);
  readonly #markers = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(page: Page, { fetchResource, timeoutMs }: { fetchResource: FetchResource; timeoutMs: number }) {
    const { signal } = this.#aborter;
    this.#page = page;
    this.#fetchResource = fetchResource;
    this.#timeout = setTimeout(() => this.#aborter.abort(), timeoutMs);
    this.#aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    page.onRequest = (paused) => {
      if (this.#markers.delete(paused.request.url)) this.#fail(paused, 'Aborted');
      else void this.#serve(paused);
    };
  }

  createMarker(): string {
    const url = `https://${randomUUID()}.invalid/`;
    this.#markers.add(url);
    return `fetch('${url}', { mode: 'no-cors', credentials: 'include' }).catch(() => {})`;
  }

  async whenIdle(): Promise<void> {
    if (this.inFlight > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    this.#page.onRequest = null;
    clearTimeout(this.#timeout);
    this.#aborter.abort();
  }

  async #serve(paused: PausedRequest): Promise<void> {
    this.inFlight += 1;
    const isByScript = paused.resourceType === 'XHR' || paused.resourceType === 'Fetch';
    if (isByScript) this.byScripts += 1;
    try {
      const bytes = await this.#answer(paused);
      if (isByScript) this.bytesToScripts += bytes;
    } catch {
      this.#fail(paused, 'Failed');
    } finally {
      this.inFlight -= 1;
      if (this.inFlight === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /**
   * Answers one request, and returns the bytes of the response. If the response is a redirect, resolves when
   * the browser has followed it.
   */
  async #answer(paused: PausedRequest): Promise<number> {
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
    return 0;
  }

  /** Fetches a resource; null if it cannot be fetched in time. */
  async #fetch(request: Protocol.Network.Request): Promise<Resource | null> {
    const { signal } = this.#aborter;
    if (!/^https?:/i.test(request.url) || signal.aborted) return null;
    const { url, method } = request;
    const headers = selectHeaders(request.headers);
    const fetching = this.#fetchResource({ url, method, headers, ...toBody(request) }, signal);
    return Promise.race([fetching, this.#aborted]).catch(() => null);
  }

  /** Returns the bytes of the body. */
  #fulfill({ requestId }: PausedRequest, response: SuppliedResponse): number {
    this.#page.sendAndForget('Fetch.fulfillRequest', { requestId, ...response });
    return response.body?.length ?? 0;
  }

  /** Returns the bytes of the body: none. */
  #fail({ requestId }: PausedRequest, errorReason: 'Aborted' | 'Failed'): number {
    this.#page.sendAndForget('Fetch.failRequest', { requestId, errorReason });
    return 0;
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
