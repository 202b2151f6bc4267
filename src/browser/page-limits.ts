import { ApiError } from '#errors';
import { PageLostError } from './browser-errors.ts';
import type { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';

/** The limits that end a render before it is done. */
export interface PageLimits {
  /** The time of the deadline, by `now`. */
  endsAt: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** Aborts the render, for example when the client disconnects. */
  signal: AbortSignal | undefined;
}

const POLL_MS = 100;
const MAX_UNANSWERED_POLLS = 15;

/**
 * Kills a browser that stops responding while a render needs it. Returns a function that ends the watch.
 *
 * A document can keep the browser's one main thread busy (frames, workers), and all renders share that
 * thread. Which document is at fault shows when each is rendered again, alone. Polls are counted, not time:
 * if the service itself was blocked, it knows nothing about the browser.
 */
export function watchBrowser(browser: Pick<Browser, 'ping' | 'kill'>, isNeeded: () => boolean): () => void {
  let unansweredPolls = 0;
  let isWaiting = false;
  const ping = async (): Promise<void> => {
    isWaiting = true;
    await browser.ping();
    isWaiting = false;
    unansweredPolls = 0;
  };
  const timer = setInterval(() => {
    if (isWaiting) unansweredPolls += 1;
    else void ping();
    if (unansweredPolls >= MAX_UNANSWERED_POLLS && isNeeded()) browser.kill('unresponsive');
  }, POLL_MS);
  return () => clearInterval(timer);
}

/**
 * Waits for a page or a browser until the deadline or an abort: a browser that hangs creates none. One that
 * comes later is discarded. Throws PageLostError ('deadline') and the signal's reason.
 */
export async function awaitInTime<T>(
  acquiring: Promise<T>,
  discard: (late: T) => unknown,
  { endsAt, now, signal }: Pick<PageLimits, 'now' | 'signal'> & { endsAt: number | null },
): Promise<T> {
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
  const stopLate = (): void => stop(new PageLostError('deadline'));
  const deadline = endsAt === null ? undefined : setTimeout(stopLate, Math.max(0, endsAt - now()));
  const onAbort = (): void => stop(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([stopped, acquiring]);
  } catch (error) {
    acquiring.then(discard, () => {});
    throw error;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Runs `work` in a page. Abandons the page at the deadline, at the memory limit and on an abort. */
export async function withinLimits<T>(
  browser: Browser,
  page: Page,
  limits: PageLimits,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, endsAt, now } = limits;
  signal?.throwIfAborted();
  page.resetEventCounts();
  const maxBytes = limits.rendererMemoryMb * 1024 * 1024;
  const deadline = setTimeout(() => page.abandon('deadline'), Math.max(0, endsAt - now()));
  const watchdog = setInterval(() => {
    if (page.residentBytes > maxBytes) page.abandon('memory');
    // Blobs are held by the browser process. Which document made them shows when each is rendered again,
    // alone.
    if (browser.residentBytes > maxBytes) browser.kill('memory');
  }, POLL_MS);
  const onAbort = (): void => page.abandon('discarded');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), page.whenLost]);
  } catch (error) {
    signal?.throwIfAborted();
    // The error of a command that was cut off says less than the reason of the loss.
    throw page.lossReason === null || error instanceof ApiError ? error : new PageLostError(page.lossReason);
  } finally {
    clearTimeout(deadline);
    clearInterval(watchdog);
    signal?.removeEventListener('abort', onAbort);
  }
}
