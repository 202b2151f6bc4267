import { ApiError } from '#errors';
import type { PdfLog } from '../engine.ts';
import { Browser } from './browser.ts';
import { findChromium, type ChromiumBinary } from './find-chromium.ts';
import { listJails, type Jail } from './jail.ts';
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts';
import { PagePool } from './page-pool.ts';

export interface BrowserKeeperOptions {
  chromiumPath: string | null;
  chromiumCacheDir: string | null;
  requireSandbox: boolean;
  useNetworkNamespace: boolean;
  slots: number;
  now: () => number;
  log: PdfLog;
}

/** A browser and its pages. */
export interface Workshop {
  browser: Browser;
  pool: PagePool;
}

/** Chromium's own process grows slowly; a new one is ready in less than 0.1 s. */
const MAX_RENDERS = 2_000;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;
const RETRY_MS = 10_000;
/** After this many browsers in a row that ended before they rendered anything, the next waits for RETRY_MS. */
const MAX_UNUSED_LOSSES = 3;
const ANSWER_TIMEOUT_MS = 2_000;
const RETRY_AFTER_SECONDS = 30;

/** Keeps one browser ready: finds and starts it, replaces it when it is lost, hangs or has grown old, and looks again later where there is none. */
export class BrowserKeeper {
  readonly #options: BrowserKeeperOptions;
  #current: Workshop | null = null;
  #starting: Promise<Workshop> | null = null;
  readonly #retired = new Set<Browser>();
  #jail: Jail | null = null;
  #version = '';
  #failedAt = Number.NEGATIVE_INFINITY;
  #failure = 'the browser was not started yet';
  #unusedLosses = 0;
  #isClosed = false;

  constructor(options: BrowserKeeperOptions) {
    this.#options = options;
  }

  /** Starts the first browser, and never rejects: without one, status() says why. */
  async start(): Promise<void> {
    const workshop = await this.use().catch(() => null);
    workshop?.pool.refill({ isIdle: true });
  }

  status(): {
    ready: boolean;
    reason?: string;
    sandbox: boolean;
    network: 'namespace' | 'flags';
    browserVersion?: string;
  } {
    const current = this.#current;
    if (!current || current.browser.isLost)
      return { ready: false, reason: this.#failure, sandbox: false, network: 'flags' };
    return {
      ready: true,
      sandbox: current.browser.sandbox,
      network: current.browser.network,
      browserVersion: this.#version,
    };
  }

  /** The browser to render in. Throws `unavailable` where there is none and it is too early to look again. */
  async use(): Promise<Workshop> {
    if (this.#current && !this.#current.browser.isLost) return this.#current;
    if (!this.#starting && this.#options.now() - this.#failedAt < RETRY_MS) throw this.#unavailable();
    try {
      return await this.#startCurrent();
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** A browser for one render alone, which nobody else's crash can reach; closed by whoever asked for it. */
  async openPrivate(): Promise<Workshop> {
    return this.#launch({ fresh: 0, owned: 0 }).catch((error: unknown) => {
      throw this.#unavailable(error);
    });
  }

  /** Makes pages ready for the next documents. */
  refill(options: { isIdle: boolean }): void {
    this.#current?.pool.refill(options);
  }

  /** To be called after each render: replaces a browser that has grown old, and ends an old one that has nothing left to do. */
  afterRender(browser: Browser): void {
    const isOld = browser.renders >= MAX_RENDERS || browser.residentBytes > MAX_RESIDENT_BYTES;
    if (isOld && this.#current?.browser === browser) this.#replace('it has grown old');
    if (browser.inFlight === 0 && this.#retired.delete(browser)) void browser.close();
  }

  /** To be called after a render was killed: a browser that does not answer is replaced. */
  async checkAnswers(browser: Browser): Promise<void> {
    if (browser.isLost || (await browser.answers(ANSWER_TIMEOUT_MS))) return;
    if (this.#current?.browser === browser) this.#replace('it did not answer');
    this.#retired.delete(browser);
    await browser.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const starting = await this.#starting?.catch(() => null);
    const browsers = new Set(this.#retired);
    if (starting) browsers.add(starting.browser);
    if (this.#current) browsers.add(this.#current.browser);
    this.#current = null;
    await Promise.all([...browsers].map((browser) => browser.close()));
  }

  #replace(why: string): void {
    const old = this.#current;
    if (!old || this.#starting || this.#isClosed) return;
    this.#options.log.info({ why, renders: old.browser.renders }, 'replacing the browser');
    this.#startCurrent()
      .then(({ pool }) => {
        pool.refill({ isIdle: false });
        this.#retired.add(old.browser);
        return this.afterRender(old.browser);
      })
      .catch(() => {});
  }

  #startCurrent(): Promise<Workshop> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<Workshop> {
    const { slots, log, now } = this.#options;
    try {
      const workshop = await this.#launch({ fresh: slots, owned: slots * 2 });
      if (this.#isClosed) {
        await workshop.browser.close();
        throw new Error('the service is shutting down');
      }
      if (workshop.browser.isLost) throw new Error('the browser ended as soon as it had started');
      workshop.browser.onLost = (cause) => {
        this.#failure = 'the browser ended';
        log.error(
          { pid: workshop.browser.pid, ...(cause === null ? {} : { err: cause }) },
          'the browser ended unexpectedly; the next render starts another',
        );
        this.#unusedLosses = workshop.browser.renders === 0 ? this.#unusedLosses + 1 : 0;
        if (this.#unusedLosses >= MAX_UNUSED_LOSSES) this.#failedAt = now();
        else if (this.#current === workshop && !this.#isClosed) this.start().catch(() => {});
      };
      this.#current = workshop;
      return workshop;
    } catch (error) {
      this.#failedAt = now();
      this.#failure = error instanceof Error ? error.message : String(error);
      log.error({ err: error }, 'PDF generation is unavailable: no browser could be started');
      throw error;
    }
  }

  async #launch(pool: { fresh: number; owned: number }): Promise<Workshop> {
    const { chromiumPath, chromiumCacheDir } = this.#options;
    const binary = await findChromium({ chromiumPath, cacheDir: chromiumCacheDir });
    if (!binary) {
      throw new Error(
        chromiumPath === null
          ? 'no browser was found: run "npm run setup", install chromium-headless-shell, or set CHROMIUM_PATH'
          : 'CHROMIUM_PATH names no executable file',
      );
    }
    const launched = this.#jail ? await launchBrowser(binary, this.#jail) : await this.#findJail(binary);
    const { version, pid, network, sandbox } = launched;
    this.#options.log.info({ version, pid, network, sandbox }, 'the browser is ready');
    this.#version = launched.version;
    const browser = new Browser(launched);
    return { browser, pool: new PagePool(browser, pool) };
  }

  /** The safest way to start it that this machine allows; found out once. */
  async #findJail(binary: ChromiumBinary): Promise<LaunchedBrowser> {
    const { requireSandbox, useNetworkNamespace, log } = this.#options;
    let last: unknown;
    for (const jail of listJails({ isRoot: process.getuid?.() === 0, requireSandbox, useNetworkNamespace })) {
      try {
        const launched = await launchBrowser(binary, jail);
        this.#jail = jail;
        this.#warn(launched);
        return launched;
      } catch (error) {
        last = error;
        log.info(
          { err: error, prefix: jail.prefix.join(' '), sandbox: jail.sandbox },
          'the browser does not start this way',
        );
      }
    }
    throw new Error('the browser could not be started in any way that is allowed', { cause: last });
  }

  /** Says once, and loudly, what this machine does not give. */
  #warn({ network, sandbox }: LaunchedBrowser): void {
    const { log } = this.#options;
    if (!sandbox) {
      log.warn(
        {},
        'CHROMIUM RUNS WITHOUT ITS SANDBOX: this machine forbids user namespaces. A flaw in Chromium would give a document the rights of its process. Allow them (in Docker: a seccomp profile that permits clone and unshare), or set PDF_REQUIRE_SANDBOX=true to refuse to render.',
      );
    }
    if (network === 'flags') {
      log.warn(
        {},
        'Chromium runs in the network namespace of the service: its own flags alone keep it from the network, as this machine does not let it have an empty one.',
      );
    }
  }

  #unavailable(cause?: unknown): ApiError {
    return new ApiError(
      'unavailable',
      'PDF generation is not available: the service has no browser to render with. Try again after Retry-After.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: cause ?? new Error(this.#failure),
      },
    );
  }
}
