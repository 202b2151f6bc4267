import { type AbortHandle, openDeadline } from '#concurrency';
import type { Protocol } from 'devtools-protocol';
import type { Page, PausedRequest } from '../pages/page.ts';
import type { SuppliedResponse } from '../cdp/cdp-connection.ts';
import type { Resource } from './fetch-resource.ts';

/** Responds to the requests of the document in a page, until `stop`. */
export abstract class PageRequests {
  inFlight = 0;
  /** Requests that were made so far. */
  started = 0;
  protected readonly page: Page;
  protected readonly deadline: AbortHandle;

  /** Requests without a response fail after `timeoutMs`. */
  constructor(page: Page, timeoutMs: number) {
    this.page = page;
    this.deadline = openDeadline(timeoutMs);
    page.onRequest = (paused) => {
      this.respond(paused).catch(() => this.fail(paused, 'Failed'));
    };
  }

  /** Cancels the requests in flight. */
  stop(): void {
    this.page.onRequest = null;
    this.deadline.close();
    this.deadline.abort();
  }

  /** Responds to one request. If it rejects, the request fails. */
  protected abstract respond(paused: PausedRequest): Promise<void>;

  /** Counts a request while `work` is done for it. */
  protected async count<T>(work: Promise<T>): Promise<T> {
    this.inFlight += 1;
    this.started += 1;
    try {
      return await work;
    } finally {
      this.inFlight -= 1;
    }
  }

  protected isNavigation({ resourceType, frameId }: PausedRequest): boolean {
    return resourceType === 'Document' && frameId === this.page.targetId;
  }

  protected fulfill({ requestId }: PausedRequest, response: SuppliedResponse): void {
    this.page.sendAndForget('Fetch.fulfillRequest', { requestId, ...response });
  }

  protected fail({ requestId }: PausedRequest, errorReason: Protocol.Network.ErrorReason): void {
    this.page.sendAndForget('Fetch.failRequest', { requestId, errorReason });
  }
}

/** Returns the headers of a response except for the dropped ones, as CDP has them. */
export function selectHeaders(
  headers: Resource['headers'],
  dropped: ReadonlySet<string>,
): Protocol.Fetch.HeaderEntry[] {
  return headers.filter(([name]) => !dropped.has(name)).map(([name, value]) => ({ name, value }));
}
