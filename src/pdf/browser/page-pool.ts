import type { Browser } from './browser.ts';
import type { Page } from './page.ts';

export interface PagePoolOptions {
  /** Pages kept ready that were never used. */
  fresh: number;
  /** Pages kept that belong to an API key. */
  owned: number;
}

const MAX_RENDERS = 200;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;
/** After a larger document the renderer keeps its memory: it is thrown away. */
const MAX_REUSED_BYTES = 256 * 1024;

/** What every document needs for the first time, in a page of which nothing is kept but the renderer's readiness. */
const EXERCISE =
  '<!doctype html><style>td{border:1px solid;padding:2px}div{display:flex;gap:4px;background:linear-gradient(#eee,#ddd)}p{display:grid;font-family:Arial,Helvetica,sans-serif}</style><h1>A</h1><div><b>b</b><i>c</i></div><p>d <b>e</b> € 1,234.50 <i>f</i></p><table><thead><tr><th>g<tbody><tr><td>h</table><svg width=9 height=9><path d="M0 0h9v9z"/></svg>';

/** Renders a small document of our own: a document's first print is a third slower otherwise. */
async function exercise(page: Page): Promise<Page> {
  const loaded = new Promise<void>((resolve) => {
    page.onLoad = resolve;
  });
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: EXERCISE });
  await Promise.race([loaded, page.whenLost]);
  await page.printToPdf({});
  page.onLoad = null;
  return page;
}

/** The pages of one browser: some never used, for anything; some used, each for static documents of one API key only. */
export class PagePool {
  readonly #browser: Browser;
  readonly #options: PagePoolOptions;
  /** Pages that are ready, and pages that are being made. */
  #fresh: Promise<Page>[] = [];
  /** Idle pages by owner, the one used longest ago first. */
  #owned: { keyId: string; page: Page }[] = [];

  constructor(browser: Browser, options: PagePoolOptions) {
    this.#browser = browser;
    this.#options = options;
  }

  /** Makes pages in advance until there are enough; when to spend the time on it is the caller's to know. Only with nothing else to do are they exercised. */
  refill({ isIdle }: { isIdle: boolean }): void {
    while (this.#fresh.length < this.#options.fresh && !this.#browser.isLost) {
      const created = this.#browser.createPage();
      const page = isIdle ? created.then(exercise) : created;
      this.#fresh.push(page);
      page.catch(() => {
        this.#fresh = this.#fresh.filter((one) => one !== page);
      });
    }
  }

  /** A page that nobody has used. */
  async takeFresh(): Promise<Page> {
    for (let next = this.#fresh.shift(); next; next = this.#fresh.shift()) {
      const page = await next;
      if (page.lossReason === null) return page;
    }
    return this.#browser.createPage();
  }

  /** A page that nobody has used but this key, for documents without script. */
  async takeOwned(keyId: string): Promise<Page> {
    const index = this.#owned.findLastIndex((one) => one.keyId === keyId);
    const [found] = index < 0 ? [] : this.#owned.splice(index, 1);
    return found && found.page.lossReason === null ? found.page : this.takeFresh();
  }

  /** Keeps a page for its owner's next document, or throws it away. */
  giveBack(page: Page, use: { keyId: string; htmlBytes: number; residentBytes: number }): void {
    const isWornOut =
      page.lossReason !== null ||
      use.htmlBytes > MAX_REUSED_BYTES ||
      page.renders >= MAX_RENDERS ||
      use.residentBytes > MAX_RESIDENT_BYTES;
    if (isWornOut) {
      this.#browser.discardPage(page);
      return;
    }
    this.#owned.push({ keyId: use.keyId, page });
    if (this.#owned.length > this.#options.owned) {
      const oldest = this.#owned.shift();
      if (oldest) this.#browser.discardPage(oldest.page);
    }
  }
}
