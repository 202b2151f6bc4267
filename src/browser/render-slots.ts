import { resolvesWithin } from '#concurrency';
import { BrowserUnavailableError } from './browser-errors.ts';
import { ChromiumLauncher, type ChromiumLauncherOptions } from './launch/chromium-launcher.ts';
import { isBeingUnpacked } from './launch/find-chromium.ts';
import { sweepRunFolders } from './launch/run-folder.ts';
import { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';
import { PagePool } from './pages/page-pool.ts';
import { createGreedyAccounts } from './watchdog.ts';

/**
 * Waits for a slot and runs `work` while holding it. The signal given to `work` aborts with the caller's
 * signal, and with the client's error if the slot is needed by another account. Rejects with ApiError
 * `overloaded` or `rate_limit_exceeded`, with the signal's reason, and as `work` does.
 */
export type WithSlot<Caller> = <T>(
  caller: Caller,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  options?: SlotOptions,
) => Promise<T>;

export interface SlotOptions {
  /** The longest wait for the slot, in place of the usual one. */
  maxWaitMs?: number;
}

export interface RenderSlotsOptions<Caller> extends ChromiumLauncherOptions {
  /** Gives each render its slot. */
  withSlot: WithSlot<Caller>;
  /** Renders at a time. As many pages are kept ready. */
  slots: number;
  /** Renders a small document of our own in a new page: the first render of a page is a third slower. */
  warmUp: (page: Page) => Promise<void>;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** Called when a shared browser started, and when one is replaced. Must not throw. */
  onBrowserEvent?: ((event: BrowserEvent) => void) | undefined;
}

/**
 * `ended`: it crashed or was killed; `unresponsive` and `old`: it is replaced; `start_failed`: none could be
 * started.
 */
export type BrowserEvent = 'started' | 'ended' | 'unresponsive' | 'old' | 'start_failed';

/** The slots and the browser, as a render uses them. */
export type BrowserKeeper = Omit<RenderSlots<never>, 'run'>;

/** A browser and its page pool. */
export interface RunningBrowser {
  browser: Browser;
  pool: PagePool;
}

interface BrowserStatus {
  ready: boolean;
  /** Why it is not ready. */
  reason?: string;
  sandbox: boolean;
  network: 'namespace' | 'flags';
  browserVersion?: string;
  slots: number;
  /** Renders in progress. */
  busy: number;
  /** Renders that wait for a slot. */
  queued: number;
}

/** Chromium's own process grows slowly; a new one is ready in less than 0.1 s. */
const MAX_RENDERS = 2_000;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;
/**
 * The time from a failed start, or from the end of a browser that rendered nothing, to the next start. It
 * doubles each time.
 */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;
/** A render waits for starts that are due in this time. */
const MAX_START_WAIT_MS = 1_000;
/** The longest time to the next start if browsers have worked before. */
const MAX_KNOWN_RETRY_MS = 500;
/** Retry-After where no render has succeeded: someone has to act. */
const MISSING_SECONDS = 30;
const RESPONSE_TIMEOUT_MS = 2_000;
const GREEDY_RESPONSE_MS = 100;
/** A set-up takes a few seconds: one that is still running after a minute is not waited for. */
const MAX_SETUP_MS = 60_000;
const POLL_MS = 50;
const waitForPoll = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/**
 * The slots that the renders of all operations share, and their browser: it is started, and replaced when it
 * ends, stops responding or has grown old.
 */
export class RenderSlots<Caller> {
  /** The accounts whose documents get browsers of their own. */
  readonly greedy = createGreedyAccounts(() => this.#options.now());
  readonly #options: RenderSlotsOptions<Caller>;
  readonly #launcher: ChromiumLauncher;
  #current: RunningBrowser | null = null;
  #starting: Promise<RunningBrowser> | null = null;
  /** Replaced browsers that still have renders in flight. */
  readonly #retired = new Set<Browser>();
  #failedAt = Number.NEGATIVE_INFINITY;
  /** 0 since the last render that succeeded. */
  #retryMs = 0;
  #failure = 'the browser was not started yet';
  /** A render has succeeded: this machine can run the browser. */
  #hasRendered = false;
  #isClosed = false;
  #queued = 0;
  #busy = 0;

  private constructor(options: RenderSlotsOptions<Caller>) {
    this.#options = options;
    this.#launcher = new ChromiumLauncher(options);
  }

  /**
   * Removes what services that were killed have left, and starts a browser. Does not wait for one that is
   * still being unpacked: its renders do. If none starts, the status says why, and later renders try again.
   */
  static async open<Caller>(options: RenderSlotsOptions<Caller>): Promise<RenderSlots<Caller>> {
    const swept = await sweepRunFolders();
    if (swept > 0) options.log.warn({ swept }, 'removed the folders of an earlier service that was killed');
    const slots = new RenderSlots(options);
    const isUnpacking = await slots.#isBeingUnpacked();
    if (isUnpacking) slots.#failure = 'the browser is still being unpacked';
    const started = slots.#startAndFill();
    if (!isUnpacking) await started;
    return slots;
  }

  status(): BrowserStatus {
    const counts = { slots: this.#options.slots, busy: this.#busy, queued: this.#queued };
    const current = this.#current;
    if (!current || current.browser.isLost)
      return { ready: false, reason: this.#failure, sandbox: false, network: 'flags', ...counts };
    const { sandbox, network, version: browserVersion } = current.browser.launched;
    return { ready: true, sandbox, network, browserVersion, ...counts };
  }

  /** Waits for a slot, and runs `work` with the browser. Rejects as WithSlot and `work` do. */
  async run<T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    work: (keeper: BrowserKeeper, signal: AbortSignal) => Promise<T>,
    options?: SlotOptions,
  ): Promise<T> {
    let isQueued = true;
    this.#queued += 1;
    const start = async (held: AbortSignal): Promise<T> => {
      isQueued = false;
      this.#queued -= 1;
      this.#busy += 1;
      try {
        const result = await work(this, held);
        this.#hasRendered = true;
        this.#retryMs = 0;
        return result;
      } finally {
        this.#busy -= 1;
        if (this.#queued === 0) this.#current?.pool.refill({ isIdle: this.#busy === 0 });
      }
    };
    try {
      return await this.#options.withSlot(caller, signal, start, options);
    } finally {
      if (isQueued) this.#queued -= 1;
    }
  }

  /**
   * Returns the shared browser, and starts it if necessary: again and again for a second. Throws
   * BrowserUnavailableError.
   */
  async ensureRunning(): Promise<RunningBrowser> {
    const { now } = this.#options;
    const lastAt = now() + MAX_START_WAIT_MS;
    for (;;) {
      if (this.#current && !this.#current.browser.isLost) return this.#current;
      if (now() + this.#waitMs > lastAt) throw this.#toUnavailable(new Error(this.#failure));
      try {
        return await this.#startCurrent();
      } catch (error) {
        if (this.#isClosed) throw this.#toUnavailable(error);
      }
    }
  }

  /**
   * Starts a browser for one render, which no other document can crash, until `signal` aborts. The caller
   * closes it.
   */
  async launchPrivate(nice?: number, signal?: AbortSignal): Promise<RunningBrowser> {
    return this.#launch({ fresh: 0, owned: 0 }, nice, signal).catch((error: unknown) => {
      throw this.#toUnavailable(error);
    });
  }

  /**
   * Replaces a browser that has grown old, and closes replaced ones that have no renders in flight. Called
   * after each render.
   */
  replaceIfOld(browser: Browser): void {
    const isOld = browser.renders >= MAX_RENDERS || browser.residentBytes > MAX_RESIDENT_BYTES;
    if (isOld && this.#current?.browser === browser) this.#replace('old');
    if (browser.accounts.length === 0 && this.#retired.delete(browser)) void browser.close();
  }

  /**
   * Replaces a browser that does not respond. Called after a render failed. If its document took too much of
   * the browser, others wait for its backlog only until another browser runs.
   */
  async replaceIfUnresponsive(browser: Browser, { wasGreedy = false } = {}): Promise<void> {
    const response = browser.ping();
    const timeoutMs = wasGreedy ? GREEDY_RESPONSE_MS : RESPONSE_TIMEOUT_MS;
    if (browser.isLost || (await resolvesWithin(response, timeoutMs))) return;
    if (this.#current?.browser === browser) this.#replace('unresponsive');
    if (wasGreedy) await this.#starting?.catch(() => {});
    if (wasGreedy && (await resolvesWithin(response, timeoutMs))) return;
    this.#retired.delete(browser);
    await browser.close();
  }

  /** Ends all browsers; no other is started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const starting = await this.#starting?.catch(() => null);
    const running = [starting, this.#current].flatMap((one) => one?.browser ?? []);
    this.#current = null;
    await Promise.all([...new Set([...running, ...this.#retired])].map((browser) => browser.close()));
  }

  /** Starts a browser; if browsers have worked before, until one runs. */
  async #startAndFill(): Promise<void> {
    // A render has started one meanwhile: nothing would ever close the one that a second start replaces.
    if (this.#isClosed || this.#current?.browser.isLost === false) return;
    try {
      (await this.#startCurrent()).pool.refill({ isIdle: true });
    } catch {
      if (this.#hasRendered && !this.#isClosed)
        setTimeout(() => void this.#startAndFill(), Math.max(0, this.#waitMs)).unref();
    }
  }

  /** Counts a failed start, or a browser that ended before it rendered anything. */
  #countFailure(): void {
    this.#retryMs = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, this.#retryMs * 2));
    this.#failedAt = this.#options.now();
  }

  /** Milliseconds until the next start: none if the clock has jumped back. */
  get #waitMs(): number {
    const waitMs = this.#hasRendered ? Math.min(MAX_KNOWN_RETRY_MS, this.#retryMs) : this.#retryMs;
    const sinceMs = this.#options.now() - this.#failedAt;
    return sinceMs < 0 ? 0 : waitMs - sinceMs;
  }

  #toUnavailable(cause: unknown): BrowserUnavailableError {
    const seconds = this.#hasRendered ? Math.max(1, Math.ceil(this.#waitMs / 1_000)) : MISSING_SECONDS;
    return new BrowserUnavailableError(seconds, cause);
  }

  #replace(reason: 'old' | 'unresponsive'): void {
    const old = this.#current;
    if (!old || this.#starting || this.#isClosed) return;
    const why = reason === 'old' ? 'it has grown old' : 'it did not respond';
    this.#options.log.info({ why, renders: old.browser.renders }, 'replacing the browser');
    this.#options.onBrowserEvent?.(reason);
    this.#startCurrent()
      .then(({ pool }) => {
        pool.refill({ isIdle: false });
        this.#retired.add(old.browser);
        return this.replaceIfOld(old.browser);
      })
      .catch(() => {});
  }

  #startCurrent(): Promise<RunningBrowser> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<RunningBrowser> {
    const { slots, log } = this.#options;
    for (let ms = this.#waitMs; ms > 0 && !this.#isClosed; ms -= POLL_MS) await waitForPoll();
    try {
      const running = await this.#launch({ fresh: slots, owned: slots * 2 });
      if (running.browser.isLost) throw new Error('the browser ended as soon as it had started');
      running.browser.onLost = (cause) => this.#onLost(running, cause);
      this.#current = running;
      this.#options.onBrowserEvent?.('started');
      return running;
    } catch (error) {
      if (this.#isClosed) throw error;
      this.#countFailure();
      this.#failure = error instanceof Error ? error.message : String(error);
      log.error({ err: error }, 'no browser could be started');
      this.#options.onBrowserEvent?.('start_failed');
      throw error;
    }
  }

  #onLost(running: RunningBrowser, cause: Error | null): void {
    const { log } = this.#options;
    const { pid, renders } = running.browser;
    this.#failure = 'the browser ended';
    this.#options.onBrowserEvent?.('ended');
    log.error(
      { browserPid: pid, ...(cause === null ? {} : { err: cause }) },
      'the browser ended unexpectedly; the next render starts another',
    );
    if (renders === 0) this.#countFailure();
    if (this.#current === running && !this.#isClosed) void this.#startAndFill();
  }

  /** Checks whether the first browser has to wait for a set-up: `bin/start` runs beside it. */
  async #isBeingUnpacked(): Promise<boolean> {
    const { chromiumPath, chromiumCacheDir } = this.#options;
    return !this.#isClosed && chromiumPath === null && isBeingUnpacked(chromiumCacheDir);
  }

  async #launch(pages: { fresh: number; owned: number }, nice?: number, signal?: AbortSignal) {
    for (let ms = 0; !this.#current && ms < MAX_SETUP_MS && (await this.#isBeingUnpacked()); ms += POLL_MS)
      await waitForPoll();
    const launched = this.#isClosed ? null : await this.#launcher.launch(nice, signal);
    if (launched === null || this.#isClosed) {
      await launched?.destroy();
      throw new Error('the service is shutting down');
    }
    const browser = new Browser(launched);
    return { browser, pool: new PagePool(browser, { ...pages, warmUp: this.#options.warmUp }) };
  }
}
