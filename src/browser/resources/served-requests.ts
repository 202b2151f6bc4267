import { type AbortHandle, onAbort, openDeadline } from '#concurrency';
import type { Protocol } from 'devtools-protocol';
import {
  type FailedRequest,
  type FetchResource,
  RESOURCE_FAILURES,
  type Resource,
  type ResourceFailure,
  findStatusFailure,
  isFailure,
} from './fetch-resource.ts';
import { OWN_URL, type Page } from '../pages/page.ts';
import { type SuppliedResponse, toPreflightResponse, toRedirect, toResponse } from './supplied-responses.ts';

/**
 * The time to wait for the browser, which may not follow (fetch() with `redirect: 'manual'`, a
 * Content-Security-Policy).
 */
const FOLLOW_MS = 1_000;

/** `Other` is the script of a worker. */
const RESTARTED_TYPES = new Set(['Fetch', 'Other', 'Script', 'XHR']);

interface Followed {
  cause: PausedRequest;
  resource: Resource;
  done: () => void;
}

/**
 * Holds resources that the fetcher reached over redirects, until the browser has followed a redirect to their
 * last URL. The key is the id of the first request, which the browser repeats and which no document can
 * choose. If the browser starts the request again, it is found by its last URL: a request never gets the
 * resource of another URL. The render's budget limits what is held.
 */
class FollowedRedirects {
  readonly #signal: AbortSignal;
  readonly #byRequestId = new Map<string, Followed>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Holds a resource. Resolves when the browser has requested it again, or will not. */
  hold(cause: PausedRequest, resource: Resource): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(() => done(), FOLLOW_MS);
      const done = (): void => {
        clearTimeout(timeout);
        stopListening();
        resolve();
      };
      const stopListening = onAbort(this.#signal, done);
      this.#byRequestId.set(cause.requestId, { cause, resource, done });
    });
  }

  /**
   * Returns the resource that is held for this request, and releases it. Null if this request follows no
   * redirect, or has another URL than was fetched (a policy may upgrade http to https).
   */
  take(paused: PausedRequest): Resource | null {
    const followed = this.#byRequestId.get(paused.redirectedRequestId ?? '') ?? this.#findRestarted(paused);
    if (!followed) return null;
    this.#byRequestId.delete(followed.cause.requestId);
    followed.done();
    return isSameUrl(paused.request.url, followed.resource.url) ? followed.resource : null;
  }

  /**
   * The browser starts a request of a script again, under a new id, if its redirect leaves the origin or it
   * is for a worker: its kind, frame and URL identify it.
   */
  #findRestarted({ resourceType, frameId, request, redirectedRequestId }: PausedRequest): Followed | null {
    if (!RESTARTED_TYPES.has(resourceType) || redirectedRequestId !== undefined) return null;
    for (const followed of this.#byRequestId.values()) {
      const { cause, resource } = followed;
      const isRestarted =
        cause.resourceType === resourceType &&
        cause.frameId === frameId &&
        (resourceType === 'Other' || !isSameOrigin(cause.request.url, resource.url));
      if (isRestarted && isSameUrl(request.url, resource.url)) return followed;
    }
    return null;
  }
}

function isSameOrigin(a: string, b: string): boolean {
  return URL.parse(a)?.origin === URL.parse(b)?.origin;
}

/** Checks whether two URLs are equal after normalization and without their fragments. */
export function isSameUrl(a: string, b: string): boolean {
  return a === b || normalizeUrl(a) === normalizeUrl(b);
}

function normalizeUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  return url.href;
}

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

interface ServeOptions {
  fetchResource: FetchResource;
  /** Milliseconds after which requests fail. */
  timeoutMs: number;
  /** Called for each request that fails, also by an error status. Not called any more after `stop`. */
  onFailure: (request: FailedRequest) => void;
}

/** Responds to the requests of one document with what `fetchResource` returns. */
export class ServedRequests {
  inFlight = 0;
  /** Requests that the document has made so far. */
  started = 0;
  readonly #page: Page;
  readonly #fetchResource: FetchResource;
  #onFailure: ServeOptions['onFailure'];
  readonly #fetching = new Set<PausedRequest>();
  readonly #deadline: AbortHandle;
  readonly #aborted: Promise<ResourceFailure>;
  readonly #redirects: FollowedRedirects;

  constructor(page: Page, { fetchResource, timeoutMs, onFailure }: ServeOptions) {
    this.#deadline = openDeadline(timeoutMs);
    const { signal } = this.#deadline;
    this.#redirects = new FollowedRedirects(signal);
    this.#page = page;
    this.#fetchResource = fetchResource;
    this.#onFailure = onFailure;
    this.#aborted = new Promise((resolve) => onAbort(signal, () => resolve(RESOURCE_FAILURES.late)));
    page.onRequest = (paused) => {
      void this.#serve(paused);
    };
  }

  /** Cancels the requests in flight. */
  stop(): void {
    this.#page.onRequest = null;
    for (const paused of this.#fetching) this.#reportFailure(paused, RESOURCE_FAILURES.late);
    this.#onFailure = () => {};
    this.#deadline.close();
    this.#deadline.abort();
  }

  async #serve(paused: PausedRequest): Promise<void> {
    this.inFlight += 1;
    this.started += 1;
    try {
      await this.#respond(paused);
    } catch {
      this.#fail(paused, 'Failed');
    } finally {
      this.inFlight -= 1;
    }
  }

  /**
   * Responds to one request. If the response is a redirect, resolves when the browser has followed it.
   */
  async #respond(paused: PausedRequest): Promise<void> {
    const { request } = paused;
    const held = this.#redirects.take(paused);
    if (held) return this.#fulfill(paused, toResponse(request, held));
    // The document may not navigate, only its frames may.
    if (paused.resourceType === 'Document' && paused.frameId === this.#page.targetId)
      return this.#fail(paused, 'Aborted');
    const preflight = toPreflightResponse(request);
    if (preflight) return this.#fulfill(paused, preflight);
    const resource = await this.#fetch(paused);
    if (isFailure(resource)) {
      this.#reportFailure(paused, resource);
      return this.#fail(paused, 'Failed');
    }
    const failure = findStatusFailure(resource);
    if (failure) this.#reportFailure(paused, failure);
    if (!mustFollow(paused, resource)) return this.#fulfill(paused, toResponse(request, resource));
    const followed = this.#redirects.hold(paused, resource);
    this.#fulfill(paused, toRedirect(resource.url, request));
    await followed;
  }

  async #fetch(paused: PausedRequest): Promise<Resource | ResourceFailure> {
    const { request } = paused;
    const { signal } = this.#deadline;
    const { url, method } = request;
    if (url.startsWith(OWN_URL)) return RESOURCE_FAILURES.relative;
    if (!/^https?:/i.test(url)) return RESOURCE_FAILURES.notHttp;
    if (signal.aborted) return RESOURCE_FAILURES.late;
    const headers = selectHeaders(request.headers);
    this.#fetching.add(paused);
    try {
      const fetching = this.#fetchResource({ url, method, headers, ...toBody(request) }, signal);
      return await Promise.race([fetching, this.#aborted]);
    } finally {
      this.#fetching.delete(paused);
    }
  }

  #reportFailure(
    { request: { url }, resourceType: type }: PausedRequest,
    { failure }: ResourceFailure,
  ): void {
    this.#onFailure({ url: url.startsWith(OWN_URL) ? url.slice(OWN_URL.length) : url, type, failure });
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
