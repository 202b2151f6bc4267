import type { Protocol } from 'devtools-protocol';
import { CdpError } from './cdp-connection.ts';
import type { LaunchedBrowser } from './launch-browser.ts';
import { Page } from './page.ts';
import { killProcess, markProcess, readResidentBytes } from './process-mark.ts';

/**
 * Nothing reads a document's console. Each message is a call to the one main thread of the browser, which all documents share: a
 * document that floods it would delay the others.
 */
const SILENT_CONSOLE =
  "for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = () => {};";

/** One browser process and the pages in it. */
export class Browser {
  /** Documents rendered so far. */
  renders = 0;
  /** Renders that are being done in it. */
  inFlight = 0;
  isLost = false;
  /** It was given up because its own process had taken too much memory. */
  isOverfull = false;
  /** Called once, when the process ends without having been asked to, or sends what cannot be understood. */
  onLost: (cause: Error | null) => void = () => {};

  readonly #launched: LaunchedBrowser;
  readonly #pages = new Map<string, Page>();
  readonly #knownPids = new Set<number>();
  #creation: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(launched: LaunchedBrowser) {
    this.#launched = launched;
    launched.connection.listen('', ({ method, params }) => {
      if (method === 'Target.detachedFromTarget')
        this.#detached((params as Protocol.Target.DetachedFromTargetEvent).sessionId);
    });
    launched.connection.onClose((cause) => this.#lost(cause));
    void launched.exited.then(() => this.#lost(null));
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
    return readResidentBytes(this.pid);
  }

  get pages(): Iterable<Page> {
    return this.#pages.values();
  }

  /** Opens an empty page with a context and a renderer of its own. One at a time, so that its process can be told from the others'. */
  createPage(): Promise<Page> {
    const page = this.#creation.then(() => this.#createPage());
    this.#creation = page.catch(() => {});
    return page;
  }

  /** Gives up a page that is not needed any more. */
  discardPage(page: Page): void {
    page.lose('abandoned');
    this.#forget(page);
  }

  /** Whether the browser answers within this time. */
  async answers(timeoutMs: number): Promise<boolean> {
    const timer = Promise.withResolvers<boolean>();
    const timeout = setTimeout(() => timer.resolve(false), timeoutMs);
    const answered = await Promise.race([this.asks(), timer.promise]);
    clearTimeout(timeout);
    return answered;
  }

  /** Asks the browser something small; whether it answered, as soon as that is known. */
  asks(): Promise<boolean> {
    return this.#launched.connection.send('Browser.getVersion').then(
      () => true,
      () => false,
    );
  }

  /** Kills a browser that has taken too much memory, or answers nobody; whatever it renders is lost. */
  giveUp(why: 'memory' | 'silence'): void {
    if (why === 'memory') this.isOverfull = true;
    killProcess(this.pid);
  }

  /** Ends the process and everything of it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const page of this.#pages.values()) page.lose('browser');
    await this.#launched.destroy();
  }

  async #createPage(): Promise<Page> {
    const { connection } = this.#launched;
    const { browserContextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    const denied = connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
    // It is awaited below; when the browser ends before that, nobody else would hear of it.
    denied.catch(() => {});
    const { targetId } = await connection.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(connection, { targetId, sessionId, contextId: browserContextId });
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
    page.renderer = markProcess(await this.#findRenderer());
    this.#knownPids.add(page.pid);
    return page;
  }

  /** The renderer that was not there before; exactly one, as pages are made one after the other. */
  async #findRenderer(): Promise<number> {
    const { processInfo } = await this.#launched.connection.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    for (const pid of this.#knownPids) if (!renderers.includes(pid)) this.#knownPids.delete(pid);
    const [found, ...others] = renderers.filter((id) => !this.#knownPids.has(id));
    if (found === undefined || others.length > 0)
      throw new CdpError(`${others.length + (found === undefined ? 0 : 1)} new renderers for one page`);
    return found;
  }

  #detached(sessionId: string): void {
    const page = this.#pages.get(sessionId);
    if (!page) return;
    page.lose('closed');
    this.#forget(page);
  }

  #forget(page: Page): void {
    this.#pages.delete(page.sessionId);
  }

  #lost(cause: Error | null): void {
    if (this.isLost) return;
    this.isLost = true;
    for (const page of this.#pages.values()) page.lose('browser');
    this.#pages.clear();
    if (this.#isClosing) return;
    void this.#launched.destroy();
    this.onLost(cause);
  }
}
