import { ApiError } from '#errors';
import type { Browser } from '../browser/browser.ts';
import { PageLostError, type Page } from '../browser/page.ts';
import { readResidentBytes } from '../browser/process-mark.ts';

/** What ends a render before it is done. */
export interface RenderLimits {
  /** When the deadline is, by `now`. */
  endsAt: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  rendererMemoryMb: number;
  /** Aborts when nobody waits for the document any more. */
  signal: AbortSignal | undefined;
}

const POLL_MS = 100;
const MAX_UNANSWERED_POLLS = 15;

/**
 * Gives up a browser that many renders share when it answers nobody any more while one of them needs it: a document can keep its one main
 * thread busy with what it tells it (messages for the console, frames, workers). Whose fault it is shows when each is tried again, alone.
 * Counts looks, not time: a service that could not look itself knows nothing of the browser.
 */
export function watchBrowser(browser: Pick<Browser, 'asks' | 'giveUp'>, isNeeded: () => boolean): () => void {
  let unanswered = 0;
  let isAsked = false;
  const ask = async (): Promise<void> => {
    isAsked = true;
    await browser.asks();
    isAsked = false;
    unanswered = 0;
  };
  const timer = setInterval(() => {
    if (isAsked) unanswered += 1;
    else void ask();
    if (unanswered >= MAX_UNANSWERED_POLLS && isNeeded()) browser.giveUp('silence');
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** Waits for a page no longer than the document may take, or its caller waits: a browser that hangs makes none. */
export async function awaitPage(
  taking: Promise<Page>,
  browser: Browser,
  { endsAt, now, signal }: RenderLimits,
): Promise<Page> {
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  const deadline = setTimeout(() => giveUp(new PageLostError('deadline')), Math.max(0, endsAt - now()));
  const onAbort = (): void => giveUp(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([taking, givenUp]);
  } catch (error) {
    taking.then(
      (page) => browser.discardPage(page),
      () => {},
    );
    throw error;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Ends the page when the document takes too long or too much, or nobody waits for it any more. */
export async function withinLimits(
  browser: Browser,
  page: Page,
  limits: RenderLimits,
  work: () => Promise<Buffer>,
): Promise<Buffer> {
  const { signal, endsAt, now } = limits;
  signal?.throwIfAborted();
  page.forgetEvents();
  const maxBytes = limits.rendererMemoryMb * 1024 * 1024;
  const deadline = setTimeout(() => page.lose('deadline'), Math.max(0, endsAt - now()));
  const watchdog = setInterval(() => {
    if (readResidentBytes(page.pid) > maxBytes) page.lose('memory');
    // Blobs live in the browser's own process; whose they are shows when each render is tried again, alone.
    if (browser.residentBytes > maxBytes) browser.giveUp('memory');
  }, POLL_MS);
  const onAbort = (): void => page.lose('abandoned');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), page.whenLost]);
  } catch (error) {
    signal?.throwIfAborted();
    // A command that was cut off says less than the reason why.
    throw page.lossReason === null || error instanceof ApiError ? error : new PageLostError(page.lossReason);
  } finally {
    clearTimeout(deadline);
    clearInterval(watchdog);
    signal?.removeEventListener('abort', onAbort);
  }
}
