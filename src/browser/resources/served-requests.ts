import { type AbortHandle, openDeadline, untilAborted } from '#concurrency';
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
import { PageRequests, type PausedRequest, isSameUrl } from './page-requests.ts';
import { toPreflightResponse, toRedirect, toResponse } from './supplied-responses.ts';

interface ServeOptions {
  fetchResource: FetchResource;
  /** Milliseconds after which requests fail. */
  timeoutMs: number;
  /** Called for each request that fails, also by an error status. Not called any more after `stop`. */
  onFailure: (request: FailedRequest) => void;
}

/** A resource that the fetcher reached over redirects, which the browser has yet to follow. */
interface Redirected {
  cause: PausedRequest;
  resource: Resource;
}

/** Responds to the requests of one document with what `fetchResource` returns. */
export class ServedRequests extends PageRequests {
  readonly #fetchResource: FetchResource;
  #onFailure: ServeOptions['onFailure'];
  readonly #fetching = new Set<PausedRequest>();
  readonly #deadline: AbortHandle;
  /**
   * The key is the id of the first request, which the browser repeats and which no document can choose. The
   * render's budget limits what is held.
   */
  readonly #redirected = new Map<string, Redirected>();

  constructor(page: Page, { fetchResource, timeoutMs, onFailure }: ServeOptions) {
    super(page);
    this.#deadline = openDeadline(timeoutMs);
    this.#fetchResource = fetchResource;
    this.#onFailure = onFailure;
  }

  override stop(): void {
    super.stop();
    for (const paused of this.#fetching) this.#reportFailure(paused, RESOURCE_FAILURES.late);
    this.#onFailure = () => {};
    this.#deadline.close();
    this.#deadline.abort();
  }

  protected override respond(paused: PausedRequest): Promise<void> {
    return this.count(this.#respond(paused));
  }

  async #respond(paused: PausedRequest): Promise<void> {
    const { request } = paused;
    const held = this.#takeRedirected(paused);
    if (held) return this.fulfill(paused, toResponse(request, held));
    // The document may not navigate, only its frames may.
    if (this.isNavigation(paused)) return this.fail(paused, 'Aborted');
    const preflight = toPreflightResponse(request);
    if (preflight) return this.fulfill(paused, preflight);
    const resource = await this.#fetch(paused);
    const failure = isFailure(resource) ? resource : findStatusFailure(resource);
    if (failure) this.#reportFailure(paused, failure);
    if (isFailure(resource)) return this.fail(paused, 'Failed');
    if (!mustFollow(paused, resource)) return this.fulfill(paused, toResponse(request, resource));
    this.#redirected.set(paused.requestId, { cause: paused, resource });
    this.fulfill(paused, toRedirect(resource.url, request));
  }

  /**
   * Returns the resource that is held for this request, and releases it. Null if this request follows no
   * redirect, or has another URL than was fetched (a policy may upgrade http to https): a request never gets
   * the resource of another URL.
   */
  #takeRedirected(paused: PausedRequest): Resource | null {
    const { redirectedRequestId: id } = paused;
    const all = [...this.#redirected.values()];
    const found = all.find((one) =>
      id === undefined ? isRestarted(one, paused) : one.cause.requestId === id,
    );
    if (found === undefined) return null;
    this.#redirected.delete(found.cause.requestId);
    return isSameUrl(paused.request.url, found.resource.url) ? found.resource : null;
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
      return await untilAborted(fetching, signal);
    } catch (error) {
      if (signal.aborted) return RESOURCE_FAILURES.late;
      throw error;
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
}

/** `Other` is the script of a worker. */
const RESTARTED_TYPES = new Set(['Fetch', 'Other', 'Script', 'XHR']);

/**
 * The browser starts a request of a script again, under a new id, if its redirect leaves the origin or it is
 * for a worker: its kind, frame, method and URL identify it. A script that has not followed, because of
 * `redirect: 'manual'`, may send a request of its own to that URL.
 */
function isRestarted(
  { cause, resource }: Redirected,
  { resourceType, frameId, request }: PausedRequest,
): boolean {
  return (
    RESTARTED_TYPES.has(resourceType) &&
    cause.resourceType === resourceType &&
    cause.frameId === frameId &&
    cause.request.method === request.method &&
    (resourceType === 'Other' || URL.parse(cause.request.url)?.origin !== URL.parse(resource.url)?.origin) &&
    isSameUrl(request.url, resource.url)
  );
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
