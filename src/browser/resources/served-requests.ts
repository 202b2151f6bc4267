import { untilAborted } from '#concurrency';
import type { Protocol } from 'devtools-protocol';
import {
  type FailedRequest,
  type FetchResource,
  MAX_REDIRECTS,
  RESOURCE_FAILURES,
  type Resource,
  type ResourceFailure,
  isFailure,
} from './fetch-resource.ts';
import type { SuppliedResponse } from '../cdp/cdp-connection.ts';
import { OWN_URL, type Page, type PausedRequest } from '../pages/page.ts';
import { PageRequests, selectHeaders } from './page-requests.ts';

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
    for (const paused of this.#fetching) this.#reportFailure(paused, RESOURCE_FAILURES.late.failure);
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
    if (isFailure(resource)) {
      this.#reportFailure(paused, resource.failure);
      return this.fail(paused, 'Failed');
    }
    if (resource.status >= 400) this.#reportFailure(paused, `was answered with status ${resource.status}`);
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
    const isSent = ([name]: [string, string]): boolean => !/^(?:cookie|origin|referer)$/i.test(name);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(isSent));
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

  #reportFailure({ request: { url }, resourceType: type }: PausedRequest, failure: string): void {
    this.#onFailure({ url: url.startsWith(OWN_URL) ? url.slice(OWN_URL.length) : url, type, failure });
  }
}

function toBody(request: Protocol.Network.Request): { body?: Uint8Array } {
  const bytes = request.postDataEntries?.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'));
  if (bytes && bytes.length > 0) return { body: Buffer.concat(bytes) };
  return request.postData === undefined ? {} : { body: Buffer.from(request.postData) };
}

/**
 * Headers about the transfer of the body, about cookies, and about the origins that may read the response.
 */
const DROPPED_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'set-cookie',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'timing-allow-origin',
]);

/** Returns the response that supplies a fetched resource to the browser. */
export function toResponse(
  request: Protocol.Network.Request,
  { status, headers, body }: Resource,
): SuppliedResponse {
  return {
    responseCode: status,
    responseHeaders: [...selectHeaders(headers, DROPPED_HEADERS), ...allowOrigin(request)],
    body,
  };
}

/**
 * Returns the response to a CORS-preflight request (Fetch standard §4.8); null for any other request. The
 * browser makes one before a script's request that a form could not make. No script can set its header.
 */
export function toPreflightResponse(request: Protocol.Network.Request): SuppliedResponse | null {
  const method = findHeader(request, 'access-control-request-method');
  if (request.method !== 'OPTIONS' || method === null) return null;
  const headers = findHeader(request, 'access-control-request-headers');
  return {
    responseCode: 204,
    responseHeaders: [
      { name: 'access-control-allow-methods', value: method },
      ...(headers === null ? [] : [{ name: 'access-control-allow-headers', value: headers }]),
      ...allowOrigin(request),
    ],
  };
}

/**
 * Allows every origin to read the response. A request has no credentials except those that the document
 * itself put into it, so there is nothing to protect from the document. With `Origin` the header repeats it,
 * as requests with credentials require.
 */
function allowOrigin(request: Protocol.Network.Request): Protocol.Fetch.HeaderEntry[] {
  const origin = findHeader(request, 'origin');
  if (origin === null) return [{ name: 'access-control-allow-origin', value: '*' }];
  return [
    { name: 'access-control-allow-origin', value: origin },
    { name: 'access-control-allow-credentials', value: 'true' },
  ];
}

function findHeader({ headers }: Protocol.Network.Request, lowerCaseName: string): string | null {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1] ?? null;
}
