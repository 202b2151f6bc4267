import { randomUUID } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Page } from '../pages/page.ts';
import type { FetchResource, Resource } from './fetch-resource.ts';
import { toPreflightResponse, toRedirect, toResponse } from './cross-origin.ts';
import { FollowedRedirects, isSameUrl } from './followed-redirects.ts';

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
  { fetchResource, timeoutMs }: { fetchResource: FetchResource; timeoutMs: number },
): ServedRequests {
  const aborter = new AbortController();
  const timeout = setTimeout(() => aborter.abort(), timeoutMs);
  const aborted = new Promise<null>((resolve) =>
    aborter.signal.addEventListener('abort', () => resolve(null)),
  );
  const fetchInTime: FetchResource = (request, signal) =>
    signal?.aborted === true ? aborted : Promise.race([fetchResource(request, signal), aborted]);
  const redirects = new FollowedRedirects(aborter.signal);
  let inFlight = 0;
  let byScripts = 0;
  let bytesToScripts = 0;
  let waiting: (() => void)[] = [];
  const markers = new Set<string>();

  const serve = async (paused: Protocol.Fetch.RequestPausedEvent): Promise<void> => {
    inFlight += 1;
    const isByScript = paused.resourceType === 'XHR' || paused.resourceType === 'Fetch';
    if (isByScript) byScripts += 1;
    try {
      const bytes = await answer(page, paused, {
        fetchResource: fetchInTime,
        redirects,
        signal: aborter.signal,
      });
      if (isByScript) bytesToScripts += bytes;
    } catch {
      page.sendAndForget('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' });
    } finally {
      inFlight -= 1;
      if (inFlight === 0) {
        for (const resolve of waiting) resolve();
        waiting = [];
      }
    }
  };

  page.onRequest = (paused) => {
    if (markers.delete(paused.request.url))
      page.sendAndForget('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' });
    else void serve(paused);
  };
  return {
    get inFlight() {
      return inFlight;
    },
    get byScripts() {
      return byScripts;
    },
    get bytesToScripts() {
      return bytesToScripts;
    },
    createMarker() {
      const url = `https://${randomUUID()}.invalid/`;
      markers.add(url);
      return `fetch('${url}', { mode: 'no-cors', credentials: 'include' }).catch(() => {})`;
    },
    whenIdle: () => (inFlight === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop() {
      page.onRequest = null;
      clearTimeout(timeout);
      aborter.abort();
    },
  };
}

interface Answering {
  fetchResource: FetchResource;
  redirects: FollowedRedirects;
  signal: AbortSignal;
}

/**
 * Answers one request, and returns the bytes of the response. If the response is a redirect, resolves when
 * the browser has followed it.
 */
async function answer(
  page: Page,
  paused: Protocol.Fetch.RequestPausedEvent,
  { fetchResource, redirects, signal }: Answering,
): Promise<number> {
  const { requestId, request } = paused;
  const fetched = redirects.take(paused);
  if (fetched) {
    page.sendAndForget('Fetch.fulfillRequest', { requestId, ...toResponse(request, fetched) });
    return fetched.body.byteLength;
  }
  // The document may not navigate, only its frames may.
  if (paused.resourceType === 'Document' && paused.frameId === page.targetId) {
    page.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return 0;
  }
  const preflight = toPreflightResponse(request);
  if (preflight) {
    page.sendAndForget('Fetch.fulfillRequest', { requestId, ...preflight });
    return 0;
  }
  const resource = /^https?:/i.test(request.url)
    ? await fetchResource(
        {
          url: request.url,
          method: request.method,
          headers: selectHeaders(request.headers),
          ...toBody(request),
        },
        signal,
      ).catch(() => null)
    : null;
  if (!resource) {
    page.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return 0;
  }
  if (mustFollow(paused, resource)) {
    const followed = redirects.hold(paused, resource);
    page.sendAndForget('Fetch.fulfillRequest', { requestId, ...toRedirect(resource.url, request) });
    await followed;
    return 0;
  }
  page.sendAndForget('Fetch.fulfillRequest', { requestId, ...toResponse(request, resource) });
  return resource.body.byteLength;
}

/**
 * Checks whether the browser must follow the redirect of the fetcher: relative URLs in the resource depend on
 * its last URL. After a redirect the browser reports a GET or HEAD as the same request. It would only repeat
 * other methods, and fonts, which contain no URLs.
 */
function mustFollow(
  { request, resourceType }: Protocol.Fetch.RequestPausedEvent,
  { url }: Resource,
): boolean {
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
