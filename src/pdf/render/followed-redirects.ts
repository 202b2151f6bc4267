import type { Protocol } from 'devtools-protocol';
import type { Resource } from '../fetch-resource.ts';

/** A redirect that the browser does not follow (fetch() with `redirect: 'manual'`, a policy of the document) is waited for no longer. */
const FOLLOW_MS = 1_000;

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

interface Followed {
  cause: PausedRequest;
  resource: Resource;
  done: () => void;
}

/**
 * What the fetcher got over redirects that it followed itself, until the browser, told of the last address, comes back for it.
 * Kept under the id of the request that caused it, which the browser repeats and no document can choose: nobody gets what he did not ask for.
 * What it holds was paid for by the render's budget, which bounds it.
 */
export class FollowedRedirects {
  readonly #signal: AbortSignal;
  readonly #byRequestId = new Map<string, Followed>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Resolves when the browser has come for it, or will not. */
  keep(cause: PausedRequest, resource: Resource): Promise<void> {
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

  /** What was kept for this request; null where it is none that follows a redirect, or goes elsewhere than was fetched (as where a policy makes http https). */
  take(paused: PausedRequest): Resource | null {
    const followed =
      this.#byRequestId.get(paused.redirectedRequestId ?? '') ?? this.#findWorkerScript(paused);
    if (!followed) return null;
    this.#byRequestId.delete(followed.cause.requestId);
    followed.done();
    return isSameAddress(paused.request.url, followed.resource.url) ? followed.resource : null;
  }

  /** The script of a worker is followed as a request of its own: the worker, which stands for its frame, and the address tell which. */
  #findWorkerScript({ resourceType, frameId, request, redirectedRequestId }: PausedRequest): Followed | null {
    if (resourceType !== 'Other' || redirectedRequestId !== undefined) return null;
    for (const followed of this.#byRequestId.values()) {
      const { cause, resource } = followed;
      if (
        cause.resourceType === 'Other' &&
        cause.frameId === frameId &&
        isSameAddress(request.url, resource.url)
      )
        return followed;
    }
    return null;
  }
}

/** Whether two URLs name the same resource, however their writers escape and whatever their fragments are. */
export function isSameAddress(a: string, b: string): boolean {
  return a === b || addressOf(a) === addressOf(b);
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  url.hash = '';
  return url.href;
}
