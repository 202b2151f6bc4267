import { findChromium } from './find-chromium.ts';
import { listJails, type Jail } from './jail.ts';
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts';

/** A structured log, as pino has it. */
export interface BrowserLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ChromiumLauncherOptions {
  /** A headless-shell build; null looks for Debian's and for the unpacked ones. */
  chromiumPath: string | null;
  /** The folder that the setup unpacked the browser and fonts into, if it is not the default. */
  chromiumCacheDir: string | null;
  /** Refuses to start the browser without its sandbox. */
  requireSandbox: boolean;
  /** False keeps the browser in the network namespace of the service. */
  useNetworkNamespace: boolean;
  log: BrowserLog;
}

/** Finds the browser and starts it in the safest jail that this machine allows. */
export class ChromiumLauncher {
  readonly #options: ChromiumLauncherOptions;
  /** The jails to try, the safest first; only the one that works once it is known. */
  #jails: Jail[];
  /** Starts in a row in which the safest jail failed. That of a browser that was killed seems to fail too. */
  #fallbacks = 0;
  #last: Jail | null = null;

  constructor(options: ChromiumLauncherOptions) {
    this.#options = options;
    this.#jails = listJails({ ...options, isRoot: process.getuid?.() === 0 });
  }

  /**
   * Starts a browser, until `signal` aborts. Rejects if there is none, or if it starts in none of the allowed
   * jails.
   */
  async launch(nice?: number, signal?: AbortSignal): Promise<LaunchedBrowser> {
    const { chromiumPath, chromiumCacheDir, log } = this.#options;
    const binary = await findChromium({ chromiumPath, cacheDir: chromiumCacheDir });
    if (!binary) {
      throw new Error(
        chromiumPath === null
          ? 'no browser was found: run "npm run setup", install chromium-headless-shell, or set CHROMIUM_PATH'
          : 'CHROMIUM_PATH names no executable file',
      );
    }
    const lower = nice === undefined ? [] : ['nice', '-n', String(nice)];
    let lastError: unknown;
    for (const jail of this.#jails) {
      try {
        const launched = await launchBrowser(binary, { ...jail, prefix: [...lower, ...jail.prefix] }, signal);
        const { version, pid, network, sandbox } = launched;
        if (this.#jails.length > 1 && jail !== this.#last) this.#warn(jail);
        this.#last = jail;
        this.#fallbacks = jail === this.#jails[0] ? 0 : this.#fallbacks + 1;
        if (this.#fallbacks !== 1) this.#jails = [jail];
        // Not `pid`: that is the service's own in each line of the log.
        log.info({ version, browserPid: pid, network, sandbox }, 'the browser is ready');
        return launched;
      } catch (error) {
        lastError = error;
        if (signal?.aborted) break;
        const way = { err: error, prefix: jail.prefix.join(' '), sandbox: jail.sandbox };
        log.info(way, 'the browser does not start this way');
      }
    }
    throw new Error('the browser could not be started in any way that is allowed', { cause: lastError });
  }

  /** Logs which protections this machine does not allow. */
  #warn({ network, sandbox }: Jail): void {
    const { log } = this.#options;
    if (!sandbox)
      log.warn(
        {},
        'CHROMIUM RUNS WITHOUT ITS SANDBOX: this machine forbids user namespaces. A flaw in Chromium would give a document the rights of its process. Allow them (in Docker: a seccomp profile that permits clone and unshare), or set PDF_REQUIRE_SANDBOX=true to refuse to render.',
      );
    if (network === 'flags')
      log.warn(
        {},
        'Chromium runs in the network namespace of the service, as this machine does not allow an empty one: only its own flags keep it from the network.',
      );
  }
}
