import { randomUUID } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Page } from '../browser/page.ts';
import type { FetchResource, Resource } from '../fetch-resource.ts';
import { answerPreflight, redirectTo, responseOf } from './cross-origin.ts';
import { FollowedRedirects, isSameAddress } from './followed-redirects.ts';

/** The requests of one document, and those of them that are still being answered. */
export interface RequestService {
  readonly inFlight: number;
  /** How many requests scripts have made so far: what they do with the answers takes a moment more. */
  readonly byScripts: number;
  /** How many bytes scripts were answered so far. */
  readonly bytesToScripts: number;
  /**
   * An expression that resolves in the page when all that the page has asked for before is known here: requests are told in the order in which
   * they are made, those that may carry cookies after all others, but nothing else of the page is told in order with them. So it makes one that
   * may, to an address that nobody can know, and it fails.
   */
  mark(): string;
  /** Resolves when no request is in flight. */
  whenIdle(): Promise<void>;
  /** Cancels what is in flight. */
  stop(): void;
}

/** Answers everything that the document asks for by way of the guarded fetcher; what cannot be had in time fails, and leaves a gap. */
export function serveRequests(
  page: Page,
  { fetchResource, timeoutMs }: { fetchResource: FetchResource; timeoutMs: number },
): RequestService {
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
  const marks = new Set<string>();

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
      page.tell('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' });
    } finally {
      inFlight -= 1;
      if (inFlight === 0) {
        for (const resolve of waiting) resolve();
        waiting = [];
      }
    }
  };

  page.onRequest = (paused) => {
    if (marks.delete(paused.request.url))
      page.tell('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' });
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
    mark() {
      const url = `https://${randomUUID()}.invalid/`;
      marks.add(url);
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

/** Answers one request, with as many bytes as it says. Where that leads the browser on to another address, it resolves when the browser has come back for it. */
async function answer(
  page: Page,
  paused: Protocol.Fetch.RequestPausedEvent,
  { fetchResource, redirects, signal }: Answering,
): Promise<number> {
  const { requestId, request } = paused;
  const fetched = redirects.take(paused);
  if (fetched) {
    page.tell('Fetch.fulfillRequest', { requestId, ...responseOf(request, fetched) });
    return fetched.body.byteLength;
  }
  // The document itself stays: it has no address to go to. Its frames may load.
  if (paused.resourceType === 'Document' && paused.frameId === page.targetId) {
    page.tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return 0;
  }
  const preflight = answerPreflight(request);
  if (preflight) {
    page.tell('Fetch.fulfillRequest', { requestId, ...preflight });
    return 0;
  }
  const resource = /^https?:/i.test(request.url)
    ? await fetchResource(
        {
          url: request.url,
          method: request.method,
          headers: ownHeaders(request.headers),
          ...bodyOf(request),
        },
        signal,
      ).catch(() => null)
    : null;
  if (!resource) {
    page.tell('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return 0;
  }
  if (isFollowed(paused, resource)) {
    const followed = redirects.keep(paused, resource);
    page.tell('Fetch.fulfillRequest', { requestId, ...redirectTo(resource.url, request) });
    await followed;
    return 0;
  }
  page.tell('Fetch.fulfillRequest', { requestId, ...responseOf(request, resource) });
  return resource.body.byteLength;
}

/**
 * Whether the fetcher went elsewhere, and the browser is to know: what the resource names is relative to where it came from.
 * The browser tells a redirected GET or HEAD for the same request; others it would only send again, and so it does with fonts, which name nothing.
 */
function isFollowed(
  { request, resourceType }: Protocol.Fetch.RequestPausedEvent,
  { url }: Resource,
): boolean {
  return /^(?:GET|HEAD)$/.test(request.method) && resourceType !== 'Font' && !isSameAddress(request.url, url);
}

/** What the document itself asks with: not where it is asked from, and no state. */
function ownHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:cookie|origin|referer)$/i.test(name)),
  );
}

function bodyOf(request: Protocol.Network.Request): { body?: Uint8Array } {
  const bytes = request.postDataEntries?.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'));
  if (bytes && bytes.length > 0) return { body: Buffer.concat(bytes) };
  return request.postData === undefined ? {} : { body: Buffer.from(request.postData) };
}
