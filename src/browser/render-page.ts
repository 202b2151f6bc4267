import { onAbort, openDeadline, untilAborted } from '#concurrency';
import { ApiError } from '#errors';
import { BrowserUnavailableError, CdpClosedError, PageLostError } from './browser-errors.ts';
import type { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';
import { type PageReuse, removeState } from './pages/reset-page.ts';
import type { BrowserKeeper, RunningBrowser } from './render-slots.ts';

/** The limits of one render. */
export interface RenderLimits {
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

interface WatchedLimits extends PageLimits {
  /** No other document uses the browser. */
  isAlone: boolean;
  /** Checks whether other renders run or wait. */
  hasOthers: () => boolean;
}

/** A deadline is extended by this time while pages are being laid out. */
const EXTENSION_MS = 500;
const POLL_MS = 100;
const MAX_UNANSWERED_POLLS = 15;

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

/**
 * While other renders run or wait, a document whose renderer has used FREE_CPU_MS loses a level of priority
 * for each further NICE_STEP_MS of CPU time. 16 workers that spin then weigh less than one neighbor.
 */
const FREE_CPU_MS = 500;
const NICE_STEP_MS = 100;
/** That of a new renderer (jail.ts), and the lowest (sched(7)). */
const NICE = 5;
const MAX_NICE = 19;

/**
 * The part of the memory limit up to which a document may make the browser's own process grow, which holds
 * Blobs, caches and databases.
 */
const SHARED_PART = 0.5;

/**
 * The main thread of the browser handles each request: 100,000 of one document held up those of others for
 * 6 s. A document with more than this is rendered again, in a browser of its own.
 */
const MAX_SHARED_REQUESTS = 500;

/** Returns a function to call again and again, which keeps a document from using more than it may. */
function createWatchdog(browser: Browser, page: Page, limits: WatchedLimits): () => void {
  const maxBytes = limits.rendererMemoryMb * 1024 * 1024;
  const startCpuMs = page.cpuMs;
  let [cpuMs, sharedBytes, ownBytes] = [startCpuMs, browser.residentBytes, 0];
  return () => {
    const last = { cpuMs, sharedBytes };
    [cpuMs, sharedBytes] = [page.cpuMs, browser.residentBytes];
    // That of a process that has ended is 0.
    page.recentCpuMs = Math.max(0, cpuMs - last.cpuMs);
    const levels = Math.floor((cpuMs - startCpuMs - FREE_CPU_MS) / NICE_STEP_MS);
    if (levels > 0 && limits.hasOthers()) page.demote(Math.min(MAX_NICE, NICE + levels));
    if (page.residentBytes > maxBytes) page.abandon('memory');
    // The browser does not say whose data it holds: the documents that were busy meanwhile share its growth.
    const part = page.recentCpuMs / Math.max(1, browser.recentCpuMs);
    ownBytes = Math.max(0, ownBytes + (sharedBytes - last.sharedBytes) * part);
    if (ownBytes > maxBytes * SHARED_PART && !limits.isAlone) page.abandon('shared');
    else if (sharedBytes > maxBytes) browser.kill('memory');
  };
}

/** Runs `work` in a page. Abandons the page at the deadline, at the memory limit and on an abort. */
async function withinLimits<T>(
  browser: Browser,
  page: Page,
  limits: WatchedLimits,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, now } = limits;
  signal?.throwIfAborted();
  const layout = watchLayout(page);
  page.isLayingOut = layout.isInProgress;
  page.requestsLeft = limits.isAlone ? Infinity : MAX_SHARED_REQUESTS;
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
 * the frames of others or to fill the browser, renders once more in a browser of its own: another document
 * may be the cause. One deadline holds for both attempts. Throws PageLostError, CdpError,
 * BrowserUnavailableError, the signal's reason, and what `work` throws.
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
  try {
    return await renderOnce(keeper, shared, work, { ...pageLimits, isAlone: false });
  } catch (error) {
    if (!isBrowserLoss(error, shared.browser)) throw error;
  }
  const own = await awaitInTime(keeper.launchPrivate(), (late) => late.browser.close(), pageLimits);
  try {
    return await renderOnce(keeper, own, work, { ...pageLimits, isAlone: true });
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
  browser.inFlight += 1;
  browser.renders += 1;
  let page: Page | null = null;
  const unwatch = limits.isAlone
    ? () => {}
    : watchBrowser(browser, () => page === null || browser.inFlight > 1);
  try {
    const acquiring = reuse === null ? pool.acquireFresh() : pool.acquireOwned(reuse.ownerId);
    const acquired = await awaitInTime(acquiring, (late) => browser.discardPage(late), limits);
    page = acquired;
    const hasOthers = (): boolean => keeper.status().busy + keeper.status().queued > 1;
    const run = (): Promise<T> => render(acquired, limits.endsAt - limits.now());
    return await withinLimits(browser, page, { ...limits, hasOthers }, run);
  } catch (error) {
    if (page && page.lossReason === null) page.abandon('discarded');
    if (page?.lossReason !== 'browser') void keeper.replaceIfUnresponsive(browser);
    throw error;
  } finally {
    unwatch();
    browser.inFlight -= 1;
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
