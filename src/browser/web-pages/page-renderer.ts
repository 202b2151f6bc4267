import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import { BrowserUnavailableError, CdpClosedError, CdpError, PageLostError } from '../browser-errors.ts';
import type { Page } from '../pages/page.ts';
import type { RenderSlots, SlotOptions } from '../render-slots.ts';
import type { BudgetRest, OpenResourceFetcher } from '../resources/fetch-resource.ts';
import { BLOCKED_PORTS } from '../documents/open-origin.ts';
import { renderPage } from '../render-page.ts';
import { visitWebPage, type WebPage, type WebPageOutcome } from './render-web-page.ts';

export interface PageRendererOptions<Caller> {
  slots: RenderSlots<Caller>;
  openResourceFetcher: OpenResourceFetcher;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface PageRequest extends WebPage {
  /** The page's address is public, or the operator has opened it. Its scripts reach such addresses only. */
  reach: 'public' | 'opened';
  /** A navigation to another page is the outcome. If false, the page stays as it is. */
  mayNavigate: boolean;
  /** Milliseconds until the outcome is needed. */
  timeoutMs: number;
  /** The bytes and requests that are left. Counted down, so that the renders of one call share it. */
  budget: BudgetRest;
}

/** The outcome of a render; `isLate`: it took too long. */
export type PageOutcome = WebPageOutcome | { kind: 'failed'; isLate?: boolean };

/**
 * Renders one page of the web in a slot of the caller. Rejects with the signal's reason, and with ApiError
 * `unavailable` (no browser), `overloaded` and `rate_limit_exceeded` (no slot).
 */
export type PageRenderer<Caller> = (
  request: PageRequest,
  caller: Caller,
  signal?: AbortSignal,
  slot?: SlotOptions,
) => Promise<PageOutcome>;

/** Creates the function that renders pages of the web, with what their scripts load. */
export function createPageRenderer<Caller extends { accountId: string }>({
  slots,
  openResourceFetcher,
  rendererMemoryMb,
  now,
}: PageRendererOptions<Caller>): PageRenderer<Caller> {
  return async ({ reach, mayNavigate, timeoutMs, budget, ...webPage }, caller, signal, slot) => {
    const { bytes: maxBytes, requests: maxRequests } = budget;
    const { port } = new URL(webPage.url);
    if (port !== '' && BLOCKED_PORTS.has(Number(port))) return { kind: 'failed' };
    // The page itself is the first request.
    budget.requests -= 1;
    budget.bytes -= webPage.body.length;
    if (budget.requests < 0 || budget.bytes < 0) return { kind: 'failed' };
    const endsAt = now() + timeoutMs;
    const deadline = openDeadline(timeoutMs, signal);
    const { userAgent, language } = webPage;
    const limits = {
      ...(userAgent !== undefined && { userAgent }),
      ...(language !== undefined && { language }),
      maxBytes,
      maxRequests,
      left: budget,
      isReadOnly: true,
      reach,
      followsRedirects: false,
    };
    const work: Parameters<typeof slots.run<PageOutcome>>[2] = (keeper, held) => {
      const remainingMs = endsAt - now();
      const fetchResource = openResourceFetcher({ ...limits, timeoutMs: remainingMs }, caller.accountId);
      const render = (page: Page, settleMs: number): Promise<PageOutcome> =>
        visitWebPage(page, webPage, { fetchResource, mayNavigate, settleMs, now });
      return renderPage(
        keeper,
        { reuse: null, render },
        { remainingMs, now, rendererMemoryMb, signal: held },
      );
    };
    try {
      return await slots.run(caller, deadline.signal, work, slot);
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = error instanceof PageLostError && error.reason === 'deadline';
      if (deadline.signal.aborted || isLate) return { kind: 'failed', isLate: true };
      if (LOST.some((kind) => error instanceof kind)) return { kind: 'failed' };
      throw toApiError(error);
    } finally {
      deadline.close();
    }
  };
}

/** The errors of one render: the fetched page is described instead. */
const LOST = [PageLostError, CdpError, CdpClosedError];

function toApiError(error: unknown): unknown {
  if (!(error instanceof BrowserUnavailableError)) return error;
  return new ApiError(
    'unavailable',
    'Pages cannot be rendered: the service has no browser. Try again after Retry-After, or without render=true.',
    { retryAfterSeconds: error.retryAfterSeconds, cause: error.cause },
  );
}
