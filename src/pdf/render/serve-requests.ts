import type { Protocol } from 'devtools-protocol';
import type { Page } from '../browser/page.ts';
import type { FetchResource } from '../fetch-resource.ts';

/** Headers that describe how the body travelled, or that would make the browser keep something. */
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

/** The requests of one document, and those of them that are still being answered. */
export interface RequestService {
  readonly inFlight: number;
  /** How many requests scripts have made so far: what they do with the answers takes a moment more. */
  readonly byScripts: number;
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
  let inFlight = 0;
  let byScripts = 0;
  let waiting: (() => void)[] = [];

  const serve = async (paused: Protocol.Fetch.RequestPausedEvent): Promise<void> => {
    inFlight += 1;
    if (paused.resourceType === 'XHR' || paused.resourceType === 'Fetch') byScripts += 1;
    try {
      await answer(page, paused, fetchInTime, aborter.signal);
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

  page.onRequest = (paused) => void serve(paused);
  return {
    get inFlight() {
      return inFlight;
    },
    get byScripts() {
      return byScripts;
    },
    whenIdle: () => (inFlight === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop() {
      page.onRequest = null;
      clearTimeout(timeout);
      aborter.abort();
    },
  };
}

async function answer(
  page: Page,
  paused: Protocol.Fetch.RequestPausedEvent,
  fetchResource: FetchResource,
  signal: AbortSignal,
): Promise<void> {
  const { requestId, request } = paused;
  // The document itself stays: it has no address to go to. Its frames may load.
  if (paused.resourceType === 'Document' && paused.frameId === page.targetId) {
    page.tell('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return;
  }
  const resource = /^https?:/i.test(request.url)
    ? await fetchResource(
        {
          url: request.url,
          method: request.method,
          headers: withoutCookies(request.headers),
          ...bodyOf(request),
        },
        signal,
      ).catch(() => null)
    : null;
  if (!resource) {
    page.tell('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return;
  }
  page.tell('Fetch.fulfillRequest', {
    requestId,
    responseCode: resource.status,
    // The document has no origin and sends no credentials: there is nothing that the same-origin policy could keep from it.
    responseHeaders: [
      ...resource.headers
        .filter(([name]) => !DROPPED_HEADERS.has(name))
        .map(([name, value]) => ({ name, value })),
      { name: 'access-control-allow-origin', value: '*' },
    ],
    body: Buffer.from(resource.body.buffer, resource.body.byteOffset, resource.body.byteLength).toString(
      'base64',
    ),
  });
}

function withoutCookies(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:cookie|authorization|origin|referer)$/i.test(name)),
  );
}

function bodyOf(request: Protocol.Network.Request): { body?: Uint8Array } {
  const bytes = request.postDataEntries?.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'));
  if (bytes && bytes.length > 0) return { body: Buffer.concat(bytes) };
  return request.postData === undefined ? {} : { body: Buffer.from(request.postData) };
}
