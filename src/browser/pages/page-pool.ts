import type { Browser } from './browser.ts';
import type { Page } from './page.ts';
import type { PageReuse } from './reset-page.ts';

export interface PagePoolOptions {
  /** Unused pages that are kept ready. */
  fresh: number;
  /** Idle pages that are kept for their owners. */
  owned: number;
  /** Renders a small document of our own in a new page: the first render of a page is a third slower. */
  warmUp: (page: Page) => Promise<void>;
}

const MAX_RENDERS = 200;
const MAX_WARM_UP_MS = 5_000;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;
/** After a larger document the renderer keeps its memory. */
const MAX_REUSED_BYTES = 256 * 1024;

interface OwnedPage {
  ownerId: string;
  page: Page;
  /** Resolves when the state of the last document is removed; with false if it may not be. */
  ready: Promise<boolean>;
  isReady: boolean;
}

/**
 * The pages of one browser: unused ones for any document, and used ones, each for documents of one owner
 * only.
 */
export class PagePool {
  readonly #browser: Pick<Browser, 'createPage' | 'discardPage' | 'isLost'>;
  readonly #options: PagePoolOptions;
  /** Pages that are ready, and pages that are being created. */
  #fresh: Promise<Page>[] = [];
  /** Idle pages by owner, the least recently used first. */
  #owned: OwnedPage[] = [];

  constructor(browser: Pick<Browser, 'createPage' | 'discardPage' | 'isLost'>, options: PagePoolOptions) {
    this.#browser = browser;
    this.#options = options;
  }

  /** Creates unused pages until there are enough, and warms them up if nothing else is rendered. */
  refill({ isIdle }: { isIdle: boolean }): void {
    while (this.#fresh.length < this.#options.fresh && !this.#browser.isLost) {
      const created = this.#browser.createPage();
      const page = isIdle ? created.then((one) => this.#warmUp(one)) : created;
      this.#fresh.push(page);
      page.catch(() => {
        this.#fresh = this.#fresh.filter((one) => one !== page);
      });
    }
  }

  /** Returns an unused page; one that could not be created in advance is no reason to fail. */
  async acquireFresh(): Promise<Page> {
    for (let next = this.#fresh.shift(); next; next = this.#fresh.shift()) {
      const page = await next.catch(() => null);
      if (page?.lossReason === null) return page;
    }
    return this.#browser.createPage();
  }

  /** Returns a page that no other owner has used, if possible one that need not be waited for. */
  async acquireOwned(ownerId: string): Promise<Page> {
    const own = this.#owned.filter((one) => one.ownerId === ownerId);
    const found = own.findLast(({ isReady }) => isReady) ?? own.at(-1);
    if (found === undefined) return this.acquireFresh();
    this.#owned.splice(this.#owned.indexOf(found), 1);
    if ((await found.ready) && found.page.lossReason === null) return found.page;
    this.#browser.discardPage(found.page);
    return this.acquireOwned(ownerId);
  }

  /** Keeps a page for its owner's next document as soon as `ready` is true, or discards it. */
  release(
    page: Page,
    { ownerId, documentBytes }: Pick<PageReuse, 'ownerId' | 'documentBytes'>,
    ready = Promise.resolve(true),
  ): void {
    if (page.lossReason !== null || documentBytes > MAX_REUSED_BYTES || page.renders >= MAX_RENDERS)
      return this.#browser.discardPage(page);
    const owned: OwnedPage = { ownerId, page, ready, isReady: false };
    this.#owned.push(owned);
    const finish = (isReady: boolean): void => {
      owned.isReady = isReady;
      if (!isReady) this.#discardIdle(page);
    };
    void ready.then(finish);
    const oldest = this.#owned.length > this.#options.owned ? this.#owned.shift() : undefined;
    if (oldest) this.#browser.discardPage(oldest.page);
  }

  /** Discards an idle page whose renderer has grown too large. */
  discardIfLarge(page: Page, residentBytes: number): void {
    if (residentBytes > MAX_RESIDENT_BYTES) this.#discardIdle(page);
  }

  #discardIdle(page: Page): void {
    if (!this.#owned.some((one) => one.page === page)) return;
    this.#owned = this.#owned.filter((one) => one.page !== page);
    this.#browser.discardPage(page);
  }

  async #warmUp(page: Page): Promise<Page> {
    // A document would wait for one that hangs until its deadline.
    const timer = setTimeout(() => page.abandon('discarded'), MAX_WARM_UP_MS);
    try {
      await this.#options.warmUp(page);
    } catch (error) {
      this.#browser.discardPage(page);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    page.reset();
    return page;
  }
}
