import type { Protocol } from 'devtools-protocol';
import type { Resource } from './fetch-resource.ts';

/**
 * The time to wait for the browser, which may not follow (fetch() with `redirect: 'manual'`, a
 * Content-Security-Policy).
 */
const FOLLOW_MS = 1_000;

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

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
export class FollowedRedirects {
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
        this.#signal.removeEventListener('abort', done);
        resolve();
      };
      this.#signal.addEventListener('abort', done);
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
