import { LRUCache } from 'lru-cache';
import { lowerPriority } from './launch/run-folder.ts';
import type { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';

export const POLL_MS = 100;
const MAX_UNANSWERED_POLLS = 15;

/**
 * Kills a browser that stops responding while a render needs it, and checks whether it responds late.
 *
 * A document can keep the browser's one main thread busy (frames, workers), and all renders share that
 * thread. Which document is at fault shows when each is rendered again, alone. Polls are counted, not time:
 * if the service itself was blocked, it knows nothing about the browser.
 */
export function watchBrowser(
  browser: Pick<Browser, 'ping' | 'kill'>,
  isNeeded: () => boolean,
): { isLate: () => boolean; close: () => void } {
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
  return { isLate: () => unansweredPolls > 0, close: () => clearInterval(timer) };
}

/**
 * While other renders run or wait, a document that has used FREE_CPU_MS loses a level of priority for each
 * further NICE_STEP_MS of CPU time. 16 workers that spin then weigh less than one neighbor.
 */
const FREE_CPU_MS = 500;
const NICE_STEP_MS = 100;
/** That of a new renderer (jail.ts), and the lowest (sched(7)). */
const NICE = 5;
export const MAX_NICE = 19;

/**
 * The part of the memory limit up to which a document may make the browser's own process grow, which holds
 * Blobs, caches and databases.
 */
const SHARED_PART = 0.5;

/**
 * The CPU time of the browser's process that a document may use while documents of other accounts are open:
 * 400 frames or a million locks delayed others by 2 s. A document with 500 images uses 0.3 s.
 */
const MAX_SHARED_CPU_MS = 500;
/** The CPU time of the browser's process that an account may use while the browser does not respond. */
const MAX_LATE_CPU_MS = 150;
/** The requests that a document may make while documents of other accounts are open. */
const MAX_SHARED_REQUESTS = 500;
/** An account that uses less CPU time of the browser between two polls does not hold up others now. */
const BUSY_CPU_MS = 10;
/** The part of its recent CPU time that a renderer keeps from poll to poll: its messages may still wait. */
const RECENT_PART = 0.9;

/** The limits of one document, and the state of its browser. */
export interface WatchdogLimits {
  /** The account that the document belongs to. */
  accountId: string;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** No other document uses the browser. */
  isAlone: boolean;
  /** The accounts whose documents take too much of browsers; true: it was seen in a browser of its own. */
  greedy: LRUCache<string, boolean>;
  /** Checks whether other renders run or wait. */
  hasOthers: () => boolean;
  /** Checks whether the browser holds up its documents. */
  isLate: () => boolean;
}

/** Returns a function to call again and again, which keeps a document from using more than it may. */
export function createWatchdog(browser: Browser, page: Page, limits: WatchdogLimits): () => void {
  const { isAlone, accountId, greedy } = limits;
  const maxBytes = limits.rendererMemoryMb * 1024 * 1024;
  const look = () => ({ bytes: browser.residentBytes, cpuMs: browser.cpuMs, rendererMs: page.cpuMs });
  let seen = look();
  const used = { bytes: 0, cpuMs: 0, lateMs: 0, rendererMs: 0 };
  return () => {
    const last = seen;
    seen = look();
    // The CPU time of a process that has ended is 0.
    const rendererMs = Math.max(0, seen.rendererMs - last.rendererMs);
    page.recentCpuMs = page.recentCpuMs * RECENT_PART + rendererMs;
    // The browser says neither for whom it works nor whose data it holds: the documents that were busy
    // meanwhile share that.
    const allMs = Math.max(1, browser.sumRecentCpuMs());
    const part = isAlone ? 1 : page.recentCpuMs / allMs;
    // What it still does for a document that was abandoned is not done for the others.
    const cpuMs = browser.isCatchingUp ? 0 : Math.max(0, seen.cpuMs - last.cpuMs);
    const accountMs = isAlone ? cpuMs : (cpuMs * browser.sumRecentCpuMs(accountId)) / allMs;
    used.rendererMs += rendererMs;
    used.cpuMs += cpuMs * part;
    if (limits.isLate()) used.lateMs += accountMs;
    used.bytes = Math.max(0, used.bytes + (seen.bytes - last.bytes) * part);
    const levels = Math.floor((used.rendererMs + used.cpuMs - FREE_CPU_MS) / NICE_STEP_MS);
    if (levels > 0 && limits.hasOthers()) {
      const nice = Math.min(MAX_NICE, NICE + levels);
      page.demote(nice);
      if (isAlone) lowerPriority(browser.pid, nice);
    }
    if (page.residentBytes > maxBytes) page.abandon('memory');
    const isOver = used.cpuMs > MAX_SHARED_CPU_MS || used.lateMs > MAX_LATE_CPU_MS;
    const isGreedy = page.requests > MAX_SHARED_REQUESTS || (isOver && accountMs >= BUSY_CPU_MS);
    if (isGreedy && isAlone) greedy.set(accountId, true);
    const isExpelled = isGreedy && browser.accounts.some((one) => one !== accountId);
    if ((isExpelled || used.bytes > maxBytes * SHARED_PART) && !isAlone) page.abandon('shared');
    else if (seen.bytes > maxBytes) browser.kill('memory');
  };
}

/** The time for which an account gets no page of the shared browser after it has taken too much of it. */
const GREEDY_MS = 60_000;

/** Creates the set of the accounts whose documents have lately taken too much of the shared browser. */
export function createGreedyAccounts(now: () => number): LRUCache<string, boolean> {
  return new LRUCache({ max: 1_000, ttl: GREEDY_MS, ttlResolution: 0, perf: { now } });
}
