import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../browser-errors.ts';
import { DOCUMENT_START_SCRIPT } from '../documents/document-start-script.ts';
import { FINISH_BEFORE_PRINT } from '../documents/page-expressions.ts';
import type { LaunchedBrowser } from '../launch/launch-browser.ts';
import { findProcess, getCpuMs, getResidentBytes, killProcess, setOomScore } from '../launch/run-folder.ts';
import { FrameQueue } from './frames.ts';
import { attachTo } from './page-workers.ts';
import { OWN_URL, Page, WORLD } from './page.ts';

/** One browser process and its pages. */
export class Browser {
  /** Documents rendered so far. */
  renders = 0;
  /** The accounts of the renders in progress, one for each. */
  readonly accounts: string[] = [];
  /** The process has ended, or sent something that is not CDP. */
  isLost = false;
  /** It may still work for a document that took too much of it. */
  isCatchingUp = false;
  /** It was killed because its own process used too much memory. */
  hasExceededMemory = false;
  /**
   * Called once if the process ends without a call of close(), with the cause if it sent something that is
   * not CDP.
   */
  onLost: (cause: Error | null) => void = () => {};

  readonly launched: LaunchedBrowser;
  readonly #pages = new Map<string, Page>();
  readonly #frames = new FrameQueue(() => this.kill('unresponsive'));
  #creation: Promise<unknown> = Promise.resolve();
  /** Called with each page that opens. */
  #onAttached: (event: Protocol.Target.AttachedToTargetEvent) => void = () => {};
  #isClosing = false;

  constructor(launched: LaunchedBrowser) {
    this.launched = launched;
    launched.connection.listen('', ({ method, params }) => {
      if (method === 'Target.attachedToTarget')
        this.#onAttached(params as Protocol.Target.AttachedToTargetEvent);
      if (method === 'Target.detachedFromTarget')
        this.#onDetached((params as Protocol.Target.DetachedFromTargetEvent).sessionId);
    });
    launched.connection.send('Target.setAutoAttach', attachTo('page')).catch(() => {});
    launched.connection.onClose((cause) => this.#onEnd(cause));
    void launched.exited.then(() => this.#onEnd(null));
  }

  get pid(): number {
    return this.launched.pid;
  }

  get residentBytes(): number {
    return getResidentBytes(this.pid);
  }

  /** The CPU time that its own process has used, in milliseconds. */
  get cpuMs(): number {
    return getCpuMs(this.pid);
  }

  /** Sums the recent CPU time of the renderers of its pages, or of an account's, in milliseconds. */
  sumRecentCpuMs(accountId?: string): number {
    const counts = (page: Page): boolean => accountId === undefined || page.accountId === accountId;
    return this.#pages.values().reduce((sum, page) => sum + (counts(page) ? page.recentCpuMs : 0), 0);
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

  /** Notes that a document took too much of the browser, and waits until it has done that work. */
  async catchUp(): Promise<void> {
    this.isCatchingUp = true;
    await this.ping();
    this.isCatchingUp = this.isLost || this.#isClosing;
  }

  /** Abandons a page that is not needed any more. */
  discardPage(page: Page): void {
    page.abandon('discarded');
    this.#pages.delete(page.sessionId);
  }

  /** Sends a small command. Resolves when it has an outcome. */
  async ping(): Promise<void> {
    await this.launched.connection.send('Browser.getVersion').catch(() => {});
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
    await this.launched.destroy();
  }

  async #createPage(): Promise<Page> {
    const { connection } = this.launched;
    const others = await this.#listRenderers();
    const { browserContextId: contextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    try {
      const page = await this.#openTarget(contextId);
      page.renderer = findProcess(findNew(await this.#listRenderers(), others));
      setOomScore(page.pid, 1000);
      return page;
    } catch (error) {
      connection.send('Target.disposeBrowserContext', { browserContextId: contextId }).catch(() => {});
      throw error;
    }
  }

  /** Opens a page at OWN_URL, with everything in place before its document begins. */
  async #openTarget(contextId: string): Promise<Page> {
    const { connection } = this.launched;
    await connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId });
    const attached = Promise.withResolvers<Protocol.Target.AttachedToTargetEvent>();
    this.#onAttached = (event) => {
      if (event.targetInfo.browserContextId === contextId) attached.resolve(event);
    };
    const created = connection.send('Target.createTarget', {
      url: OWN_URL,
      browserContextId: contextId,
      enableBeginFrameControl: true,
    });
    // The command ends after the navigation, which waits until everything is in place.
    const { sessionId, targetInfo } = await Promise.race([
      attached.promise,
      created.then(() => attached.promise),
    ]);
    const ids = { targetId: targetInfo.targetId, sessionId, contextId };
    const page = new Page(connection, ids, this.#frames);
    this.#pages.set(sessionId, page);
    await page.open(OWN_URL, undefined, () =>
      Promise.all([
        page.send('Page.enable'),
        page.send('Page.addScriptToEvaluateOnNewDocument', { source: DOCUMENT_START_SCRIPT }),
        page.send('Page.addScriptToEvaluateOnNewDocument', { source: FINISH_BEFORE_PRINT, worldName: WORLD }),
        page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
        page.send('Target.setAutoAttach', attachTo('worker', 'worklet')),
        page.send('Runtime.runIfWaitingForDebugger'),
        created,
      ]),
    );
    return page;
  }

  /** Returns the process ids of the renderers that run. */
  async #listRenderers(): Promise<number[]> {
    const { processInfo } = await this.launched.connection.send('SystemInfo.getProcessInfo');
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
    void this.launched.destroy();
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
