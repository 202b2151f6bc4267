import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../browser-errors.ts';
import type { LaunchedBrowser } from '../launch/launch-browser.ts';
import { findProcess, getResidentBytes, killProcess } from '../launch/process-identity.ts';
import { Page } from './page.ts';

/**
 * Nothing reads a document's console. Each message is a call to the one main thread of the browser, which all
 * documents share: a document that floods it would delay the others.
 */
const SILENT_CONSOLE =
  "for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = () => {};";

/** One browser process and its pages. */
export class Browser {
  /** Documents rendered so far. */
  renders = 0;
  /** Renders in progress. */
  inFlight = 0;
  /** The process has ended, or sent something that is not CDP. */
  isLost = false;
  /** It was killed because its own process used too much memory. */
  hasExceededMemory = false;
  /**
   * Called once if the process ends without a call of close(), with the cause if it sent something that is
   * not CDP.
   */
  onLost: (cause: Error | null) => void = () => {};

  readonly #launched: LaunchedBrowser;
  readonly #pages = new Map<string, Page>();
  #creation: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(launched: LaunchedBrowser) {
    this.#launched = launched;
    launched.connection.listen('', ({ method, params }) => {
      if (method === 'Target.detachedFromTarget')
        this.#onDetached((params as Protocol.Target.DetachedFromTargetEvent).sessionId);
    });
    launched.connection.onClose((cause) => this.#onEnd(cause));
    void launched.exited.then(() => this.#onEnd(null));
  }

  get pid(): number {
    return this.#launched.pid;
  }

  get network(): 'namespace' | 'flags' {
    return this.#launched.network;
  }

  get sandbox(): boolean {
    return this.#launched.sandbox;
  }

  get residentBytes(): number {
    return getResidentBytes(this.pid);
  }

  /**
   * Opens an empty page with a BrowserContext and a renderer of its own. Pages are created one after the
   * other, so that the new renderer can be distinguished from the others.
   */
  createPage(): Promise<Page> {
    const page = this.#creation.then(() => this.#createPage());
    this.#creation = page.catch(() => {});
    return page;
  }

  /** Abandons a page that is not needed any more. */
  discardPage(page: Page): void {
    page.abandon('discarded');
    this.#pages.delete(page.sessionId);
  }

  /** Checks whether the browser responds within `timeoutMs`. */
  async isResponsive(timeoutMs: number): Promise<boolean> {
    const timer = Promise.withResolvers<boolean>();
    const timeout = setTimeout(() => timer.resolve(false), timeoutMs);
    const responded = await Promise.race([this.ping(), timer.promise]);
    clearTimeout(timeout);
    return responded;
  }

  /** Sends a small command. Resolves when the response is here: true, or false if it is an error. */
  ping(): Promise<boolean> {
    return this.#launched.connection.send('Browser.getVersion').then(
      () => true,
      () => false,
    );
  }

  /** Kills the process; all of its pages are lost. */
  kill(reason: 'memory' | 'unresponsive'): void {
    if (reason === 'memory') this.hasExceededMemory = true;
    killProcess(this.pid);
  }

  /** Ends the process and its children, and removes its folder. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const page of this.#pages.values()) page.abandon('browser');
    await this.#launched.destroy();
  }

  async #createPage(): Promise<Page> {
    const { connection } = this.#launched;
    const others = await this.#listRenderers();
    const { browserContextId: contextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    try {
      const page = await this.#openTarget(contextId);
      page.renderer = findProcess(findNew(await this.#listRenderers(), others));
      return page;
    } catch (error) {
      connection.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => {});
      throw error;
    }
  }

  async #openTarget(contextId: string): Promise<Page> {
    const { connection } = this.#launched;
    const denied = connection.send('Browser.setDownloadBehavior', {
      behavior: 'deny',
      browserContextId: contextId,
    });
    // It is awaited below. If the browser ends before that, the rejection would be unhandled.
    denied.catch(() => {});
    const { targetId } = await connection.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: contextId,
    });
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(connection, { targetId, sessionId, contextId });
    this.#pages.set(sessionId, page);
    const [world] = await Promise.all([
      page.send('Page.createIsolatedWorld', { frameId: targetId }),
      denied,
      page
        .send('Page.enable')
        .then(() => page.send('Page.addScriptToEvaluateOnNewDocument', { source: SILENT_CONSOLE })),
      page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
    page.worldId = world.executionContextId;
    return page;
  }

  /** Returns the process ids of the renderers that run. */
  async #listRenderers(): Promise<number[]> {
    const { processInfo } = await this.#launched.connection.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  }

  #onDetached(sessionId: string): void {
    const page = this.#pages.get(sessionId);
    if (!page) return;
    page.abandon('closed');
    this.#pages.delete(sessionId);
  }

  #onEnd(cause: Error | null): void {
    if (this.isLost) return;
    this.isLost = true;
    for (const page of this.#pages.values()) page.abandon('browser');
    this.#pages.clear();
    if (this.#isClosing) return;
    void this.#launched.destroy();
    this.onLost(cause);
  }
}

/** Returns the process that was not there before. Throws CdpError unless there is exactly one. */
function findNew(pids: readonly number[], before: readonly number[]): number {
  const [found, ...others] = pids.filter((pid) => !before.includes(pid));
  if (found === undefined || others.length > 0)
    throw new CdpError(`${others.length + (found === undefined ? 0 : 1)} new renderers for one page`);
  return found;
}
