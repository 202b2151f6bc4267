import { onAbort, openDeadline, untilAborted } from '#concurrency';
import { ApiError } from '#errors';
import { BrowserUnavailableError, CdpClosedError, CdpError, PageLostError } from './browser-errors.ts';
import type { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';
import { type PageReuse, removeState } from './pages/reset-page.ts';
import type { BrowserKeeper, RunningBrowser } from './render-slots.ts';
import { MAX_NICE, POLL_MS, type WatchdogLimits, createWatchdog, watchBrowser } from './watchdog.ts';

/** The limits of one render. */
export interface RenderLimits {
  /** The account that the document belongs to. */
  accountId: string;
  /** Milliseconds until the deadline, which counts from the moment when a browser runs. */
  remainingMs: number;
  /** Milliseconds up to which that is extended while pages are being laid out; default: it is not. */
  longestRemainingMs?: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** Aborts the render, for example when the client disconnects. */
  signal: AbortSignal | undefined;
}

/** The same with instants by `now` in place of durations. */
interface PageLimits extends Omit<RenderLimits, 'remainingMs' | 'longestRemainingMs'> {
  endsAt: number;
  latestEndsAt: number;
}

/** A deadline is extended by this time while pages are being laid out. */
const EXTENSION_MS = 500;

const LOOK_MS = 250;
/** A document that has not grown at this many looks is not laying out pages. */
const MAX_LOOKS = 12;
/** An element with the name of the function would hide it in `document`. */
const COUNT_ELEMENTS = "Document.prototype.getElementsByTagName.call(document, '*').length";

/**
 * Watches whether the pages of a document are being laid out: Chromium prints it, or its scripts add elements
 * to it, as libraries that paginate do.
 */
function watchLayout(page: Page): { isInProgress: () => boolean; close: () => void } {
  // Before the first look, which shows no growth.
  let elements = Number.POSITIVE_INFINITY;
  let looksSinceGrowth = MAX_LOOKS;
  let isAsking = false;
  const look = async (): Promise<void> => {
    looksSinceGrowth += 1;
    if (isAsking) return;
    isAsking = true;
    const count = Number(await page.evaluate(COUNT_ELEMENTS).catch(() => elements));
    isAsking = false;
    if (count > elements) looksSinceGrowth = 0;
    elements = count;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    isInProgress: () => page.isPrinting || looksSinceGrowth < MAX_LOOKS,
    close: () => clearInterval(timer),
  };
}

/**
 * Waits for a page or a browser until the deadline or an abort: a browser that hangs creates no page. What
 * comes later is discarded. Throws PageLostError ('deadline') and the signal's reason.
 */
async function awaitInTime<T>(
  acquiring: Promise<T>,
  discard: (late: T) => unknown,
  { endsAt, now, signal }: Pick<PageLimits, 'endsAt' | 'now' | 'signal'>,
): Promise<T> {
  const deadline = openDeadline(endsAt - now(), signal, () => new PageLostError('deadline'));
  try {
    return await untilAborted(acquiring, deadline.signal);
  } catch (error) {
    acquiring.then(discard, () => {});
    throw error;
  } finally {
    deadline.close();
  }
}

/** Runs `work` in a page. Abandons the page at the deadline, at the memory limit and on an abort. */
async function withinLimits<T>(
  browser: Browser,
  page: Page,
  limits: PageLimits & WatchdogLimits,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, now } = limits;
  signal?.throwIfAborted();
  const layout = watchLayout(page);
  page.accountId = limits.accountId;
  page.isLayingOut = layout.isInProgress;
  let leftMs = limits.latestEndsAt - limits.endsAt;
  const end = (): void => {
    const extensionMs = Math.min(EXTENSION_MS, leftMs);
    leftMs -= extensionMs;
    if (extensionMs <= 0 || !layout.isInProgress()) page.abandon('deadline');
    else deadline = setTimeout(end, extensionMs);
  };
  let deadline = setTimeout(end, Math.max(0, limits.endsAt - now()));
  const watchdog = setInterval(createWatchdog(browser, page, limits), POLL_MS);
  const stopListening = onAbort(signal, () => page.abandon('discarded'));
  try {
    return await Promise.race([work(), page.whenLost]);
  } catch (error) {
    signal?.throwIfAborted();
    // The error of a command that was cut off says less than the reason of the loss.
    throw page.lossReason === null || error instanceof ApiError ? error : new PageLostError(page.lossReason);
  } finally {
    clearTimeout(deadline);
    layout.close();
    clearInterval(watchdog);
    stopListening();
  }
}

/** The work to do in a page. */
export interface PageWork<T> {
  /** Null for a new page that is discarded after its document. */
  reuse: PageReuse | null;
  /** Renders the document, within the limits. `remainingMs` is the time until the deadline. */
  render: (page: Page, remainingMs: number) => Promise<T>;
}

/**
 * Renders in a page of the shared browser. If the browser ends meanwhile, or if the document seems to hold up
 * the frames of others or takes too much of the browser, renders once more in a browser of its own: another
 * document may be the cause. The next documents of an account that took too much get browsers of their own
 * right away. One deadline holds for both attempts. Throws PageLostError, CdpError, BrowserUnavailableError,
 * the signal's reason, and what `work` throws.
 */
export async function renderPage<T>(
  keeper: BrowserKeeper,
  work: PageWork<T>,
  { remainingMs, longestRemainingMs = remainingMs, ...limits }: RenderLimits,
): Promise<T> {
  // The time that the shared browser takes to start does not count, but the caller may leave meanwhile.
  const shared = await awaitInTime(keeper.ensureRunning(), () => {}, { ...limits, endsAt: Infinity });
  const startedAt = limits.now();
  const pageLimits = {
    ...limits,
    endsAt: startedAt + remainingMs,
    latestEndsAt: startedAt + Math.max(remainingMs, longestRemainingMs),
  };
  if (!keeper.greedy.has(limits.accountId)) {
    try {
      return await renderOnce(keeper, shared, work, { ...pageLimits, isAlone: false });
    } catch (error) {
      if (!isBrowserLoss(error, shared.browser)) throw error;
      // If another document is known to be the cause, the next shared browser will do.
      const spentMs = limits.now() - startedAt;
      const left = { remainingMs: remainingMs - spentMs, longestRemainingMs: longestRemainingMs - spentMs };
      if (shared.browser.isCatchingUp && !keeper.greedy.has(limits.accountId))
        return renderPage(keeper, work, { ...limits, ...left });
    }
  }
  return renderAlone(keeper, work, pageLimits);
}

/** Checks whether other renders run or wait. */
function hasOthers(keeper: BrowserKeeper): boolean {
  const { busy, queued } = keeper.status();
  return busy + queued > 1;
}

/** Renders in a browser that no other document uses. */
async function renderAlone<T>(keeper: BrowserKeeper, work: PageWork<T>, limits: PageLimits): Promise<T> {
  // The lowest priority is for evidence from a browser of its own: the shared one's CPU time is estimated.
  const isLow = keeper.greedy.get(limits.accountId) === true && hasOthers(keeper);
  const start = new AbortController();
  const launching = keeper.launchPrivate(isLow ? MAX_NICE : undefined, start.signal);
  const close = (late: RunningBrowser): Promise<void> => late.browser.close();
  const own = await awaitInTime(launching, close, limits).finally(() => start.abort());
  try {
    return await renderOnce(keeper, own, work, { ...limits, isAlone: true });
  } catch (error) {
    if (!isBrowserLoss(error, own.browser)) throw error;
    // It ended before the document was opened.
    if (error instanceof CdpClosedError) throw new BrowserUnavailableError(1, error);
    throw new PageLostError(own.browser.hasExceededMemory ? 'memory' : 'crashed');
  } finally {
    await own.browser.close();
  }
}

function isBrowserLoss(error: unknown, browser: Browser): boolean {
  return (
    (error instanceof PageLostError && /^(?:browser|frame|shared)$/.test(error.reason)) ||
    (error instanceof CdpClosedError && browser.isLost)
  );
}

async function renderOnce<T>(
  keeper: BrowserKeeper,
  { browser, pool }: RunningBrowser,
  { reuse, render }: PageWork<T>,
  limits: PageLimits & { isAlone: boolean },
): Promise<T> {
  browser.accounts.push(limits.accountId);
  browser.renders += 1;
  let page: Page | null = null;
  const watch = limits.isAlone
    ? null
    : watchBrowser(browser, () => page === null || browser.accounts.length > 1);
  try {
    const acquiring = (reuse === null ? pool.acquireFresh() : pool.acquireOwned(reuse.ownerId)).catch(
      // Not a fault of the document.
      (error: unknown) =>
        Promise.reject(error instanceof CdpError ? new BrowserUnavailableError(1, error) : (error as Error)),
    );
    const acquired = await awaitInTime(acquiring, (late) => browser.discardPage(late), limits);
    page = acquired;
    const run = (): Promise<T> => render(acquired, limits.endsAt - limits.now());
    const watched = {
      ...limits,
      hasOthers: () => hasOthers(keeper),
      isLate: () => watch?.isLate() === true,
      greedy: keeper.greedy,
    };
    return await withinLimits(browser, page, watched, run);
  } catch (error) {
    if (page && page.lossReason === null) page.abandon('discarded');
    const reason = page?.lossReason ?? '';
    const wasGreedy = /^(?:shared|flood)$/.test(reason);
    const isProven = limits.isAlone || keeper.greedy.get(limits.accountId) === true;
    if (wasGreedy) keeper.greedy.set(limits.accountId, isProven);
    if (wasGreedy) void browser.catchUp();
    if (reason !== 'browser') void keeper.replaceIfUnresponsive(browser, { wasGreedy });
    throw error;
  } finally {
    watch?.close();
    browser.accounts.splice(browser.accounts.indexOf(limits.accountId), 1);
    if (page) {
      page.reset();
      page.renders += 1;
      // The clock of a page with a worker that was refused would wait for it.
      if (reuse === null || page.isDemoted || page.workers.refused > 0) browser.discardPage(page);
      else pool.release(page, reuse, removeState(page, reuse, limits.now()));
    }
    // The result need not wait until files of /proc are read.
    setImmediate(() => {
      if (page) pool.discardIfLarge(page, page.residentBytes);
      keeper.replaceIfOld(browser);
    });
  }
}
