import { untilAborted } from '#concurrency';
import type { Protocol } from 'devtools-protocol';
import {
  type FailedRequest,
  type FetchResource,
  MAX_REDIRECTS,
  RESOURCE_FAILURES,
  type Resource,
  type ResourceFailure,
  findStatusFailure,
  isFailure,
} from './fetch-resource.ts';
import { OWN_URL, type Page } from '../pages/page.ts';
import { PageRequests, type PausedRequest } from './page-requests.ts';
import { toPreflightResponse, toResponse } from './supplied-responses.ts';

interface ServeOptions {
  fetchResource: FetchResource;
  /** Milliseconds after which requests fail. */
  timeoutMs: number;
  /** Called for each request that fails, also by an error status. Not called any more after `stop`. */
  onFailure: (request: FailedRequest) => void;
}

/** Responds to the requests of one document with what `fetchResource` returns. */
export class ServedRequests extends PageRequests {
  readonly #fetchResource: FetchResource;
  #onFailure: ServeOptions['onFailure'];
  readonly #fetching = new Set<PausedRequest>();
  /** The redirects that led to each request, by its id. */
  readonly #redirects = new Map<string, number>();

  constructor(page: Page, { fetchResource, timeoutMs, onFailure }: ServeOptions) {
    super(page, timeoutMs);
    this.#fetchResource = fetchResource;
    this.#onFailure = onFailure;
  }

  override stop(): void {
    for (const paused of this.#fetching) this.#reportFailure(paused, RESOURCE_FAILURES.late);
    this.#onFailure = () => {};
    super.stop();
  }

  protected override respond(paused: PausedRequest): Promise<void> {
    return this.count(this.#respond(paused));
  }

  async #respond(paused: PausedRequest): Promise<void> {
    const { request } = paused;
    // The document may not navigate, only its frames may.
    if (this.isNavigation(paused)) return this.fail(paused, 'Aborted');
    const preflight = toPreflightResponse(request);
    if (preflight) return this.fulfill(paused, preflight);
    const resource = await this.#fetch(paused);
    const failure = isFailure(resource) ? resource : findStatusFailure(resource);
    if (failure) this.#reportFailure(paused, failure);
    if (isFailure(resource)) return this.fail(paused, 'Failed');
    this.fulfill(paused, toResponse(request, resource));
  }

  async #fetch(paused: PausedRequest): Promise<Resource | ResourceFailure> {
    const { request } = paused;
    const { signal } = this.deadline;
    const { url, method } = request;
    if (url.startsWith(OWN_URL)) return RESOURCE_FAILURES.relative;
    if (!/^https?:/i.test(url)) return RESOURCE_FAILURES.notHttp;
    if (signal.aborted) return RESOURCE_FAILURES.late;
    if (this.#countRedirects(paused) > MAX_REDIRECTS) return RESOURCE_FAILURES.redirects;
    const headers = selectHeaders(request.headers);
    this.#fetching.add(paused);
    try {
      const fetched = { url, method, headers, ...toBody(request), followsRedirects: false };
      return await untilAborted(this.#fetchResource(fetched, signal), signal);
    } catch (error) {
      if (signal.aborted) return RESOURCE_FAILURES.late;
      throw error;
    } finally {
      this.#fetching.delete(paused);
    }
  }

  /** The browser would end a circle of redirects too, without a word. */
  #countRedirects({ requestId, redirectedRequestId: before }: PausedRequest): number {
    const count = before === undefined ? 0 : (this.#redirects.get(before) ?? 0) + 1;
    this.#redirects.set(requestId, count);
    return count;
  }

  #reportFailure(
    { request: { url }, resourceType: type }: PausedRequest,
    { failure }: ResourceFailure,
  ): void {
    this.#onFailure({ url: url.startsWith(OWN_URL) ? url.slice(OWN_URL.length) : url, type, failure });
  }
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
