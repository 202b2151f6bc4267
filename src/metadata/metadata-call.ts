import { ApiError } from '#errors';
import { workInTurn } from '#event-loop';
import type { GetMetadataDeps, GetMetadataRequest } from './metadata-request.ts';
import { findWall } from './blocked/find-wall.ts';
import { describeVisit } from './details/describe-visit.ts';
import { addObjects, type MetadataWithObjects } from './objects/add-objects.ts';
import { mayBeStored } from './page/metadata-cache.ts';
import { describePage } from './page/describe-page.ts';
import type { FetchedPage, PageIdentity, PageVisit } from './page/fetch-page.ts';
import { findRefreshTarget } from './page/find-refresh.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import { MetadataReader } from './page/metadata-reader.ts';
import type { ScannedPage } from './page/scanned-page.ts';
import { KeptPage } from './render/kept-page.ts';
import { createRenderBudget, renderIfWanted, scanDocument } from './render/page-render.ts';
import type { RenderOutcome } from './render/render-page.ts';
import type { Call } from './page/singleflight.ts';
import { targetDisconnected, targetTimeout } from './page/target-errors.ts';

const MAX_REDIRECTS = 10;
/** With less time left, objects are missing because the deadline was near. */
const LATE_MS = 200;

/** A page that led to another one. */
interface PageBefore {
  metadata: PageMetadata;
  page: ScannedPage | null;
  fetched: FetchedPage;
}

/** Fetches and describes one page, and those that it refreshes to. */
export class MetadataCall implements Call {
  readonly result: Promise<PageMetadata>;
  isShortOfTime = false;
  #request: GetMetadataRequest;
  readonly #identity: PageIdentity;
  #deps: GetMetadataDeps;
  #signal: AbortSignal;
  #reader: MetadataReader;
  /** The page of the reader, once it was fetched. */
  #fetched: FetchedPage | null = null;
  /** The page before the last refresh: it is described if the refresh fails. */
  #previous: PageBefore | null = null;
  #deadline: number;
  /** The page's bytes, if it may be rendered. */
  #kept: KeptPage | null = null;
  readonly #renderBudget = createRenderBudget();
  /** A script has led to the page. */
  #isScripted = false;
  /** The addresses that may be contacted, since a script has led to another page. */
  #reach: 'public' | 'opened' | undefined;

  constructor(
    url: URL,
    request: GetMetadataRequest,
    deps: GetMetadataDeps,
    signal: AbortSignal,
    key: string,
  ) {
    this.#request = request;
    this.#identity = { language: request.language ?? null, userAgent: request.userAgent ?? 'bot' };
    this.#deps = deps;
    this.#signal = signal;
    this.#reader = new MetadataReader(request);
    this.#deadline = deps.now() + request.timeoutMs;
    this.result = this.#run(url, key);
  }

  /** The metadata of what was read so far; null until a page's head is complete. */
  get partialResult(): PageMetadata | null {
    return this.#reader.isHeadComplete ? this.#describe() : (this.#previous?.metadata ?? null);
  }

  async #run(url: URL, key: string): Promise<PageMetadata> {
    let next = url;
    let visit: PageVisit | undefined;
    for (;;) {
      let page: FetchedPage;
      try {
        page = await this.#fetch(next, visit);
      } catch (error) {
        if (this.#previous === null || !(error instanceof ApiError)) throw error;
        this.isShortOfTime = error.code === 'timeout';
        return this.#finishBefore(this.#previous);
      }
      // A script led to a download, or to nothing: a visitor still sees the page before.
      if (this.#previous !== null && this.#isScripted && this.#reader.page?.html == null)
        return this.#finishBefore(this.#previous);
      const metadata = this.#describe();
      const target = this.#findRefresh(page) ?? (await this.#render(page, next));
      if (!(target instanceof URL)) {
        const isRendered = target !== null && target !== 'failed';
        const described = isRendered ? this.#describeRendered(target) : metadata;
        const document = isRendered ? target : this.#reader.page;
        const { result, isComplete } = await this.#addObjects(
          described,
          document,
          this.#findObjectReach(page, isRendered),
        );
        if (isComplete && target !== 'failed' && !this.isShortOfTime)
          await this.#store(key, page, document, result);
        return result;
      }
      this.#previous = { metadata, page: this.#reader.page, fetched: page };
      const { finalUrl, status, headers } = page.head;
      visit = { ...page.visit, redirects: [...page.visit.redirects, { url: finalUrl, status, headers }] };
      next = target;
    }
  }

  async #finishBefore({ metadata, page, fetched }: PageBefore): Promise<PageMetadata> {
    const reach = this.#findObjectReach(fetched, this.#isScripted);
    return (await this.#addObjects(metadata, page, reach)).result;
  }

  /**
   * Renders the page if the request asks for it. Returns what it became, or the target of a script that leads
   * to another page; null if it was not rendered.
   */
  async #render(fetched: FetchedPage, requested: URL): Promise<ScannedPage | URL | 'failed' | null> {
    const { render = 'false' } = this.#request;
    const scanned = this.#reader.page;
    const kept = this.#kept;
    if (kept === null || scanned === null) return null;
    // Its bytes are not kept while objects are fetched.
    this.#kept = null;
    const page = {
      fetched,
      scanned,
      joinBody: () => kept.joinBytes(),
      requested,
      mayNavigate: this.#mayRedirect(fetched.visit),
      identity: this.#identity,
      getRemainingMs: () => this.#deadline - this.#deps.now(),
      budget: this.#renderBudget,
    };
    const rendering = renderIfWanted(this.#deps.renderPage, render, page, this.#signal);
    const outcome = await rendering.catch((error: unknown): RenderOutcome => {
      // The page before was rendered. Without a place for this one, what was fetched is described.
      if (this.#isScripted && error instanceof ApiError) return { kind: 'failed' };
      throw error;
    });
    if (outcome === null) return null;
    if (outcome.kind === 'failed') {
      this.isShortOfTime ||= outcome.isLate === true;
      return 'failed';
    }
    if (outcome.kind === 'navigation')
      return page.mayNavigate ? this.#followScript(outcome.url, fetched) : 'failed';
    this.isShortOfTime ||= outcome.isIncomplete === true;
    return (await scanDocument(outcome, scanned, this.#request)) ?? 'failed';
  }

  #describeRendered(document: ScannedPage): PageMetadata {
    const metadata = this.#describePage(document);
    if (metadata.details) metadata.details.rendered = true;
    return metadata;
  }

  /** Returns the target of a script; it may be at addresses within the reach of the page only. */
  #followScript(url: string, { reach }: FetchedPage): URL | 'failed' {
    this.#isScripted = true;
    this.#reach = reach === 'opened' ? 'opened' : 'public';
    const target = URL.parse(url);
    const isUsable = target !== null && target.username === '' && target.password === '';
    return isUsable ? target : 'failed';
  }

  async #fetch(url: URL, visit: PageVisit | undefined): Promise<FetchedPage> {
    const timeoutMs = this.#deadline - this.#deps.now();
    if (timeoutMs <= 0) throw targetTimeout(this.#request.timeoutMs);
    this.#reader = new MetadataReader(this.#request);
    this.#fetched = null;
    const { followRedirects, render = 'false' } = this.#request;
    this.#kept = render === 'false' ? null : new KeptPage(this.#reader, render);
    const request = {
      client: this.#deps.client,
      url,
      followRedirects,
      timeoutMs,
      ...this.#identity,
      ...(visit && { visit }),
      ...(this.#reach && { reach: this.#reach }),
    };
    const page = await this.#deps.fetchPage(request, this.#kept ?? this.#reader, this.#signal);
    if (this.#reader.isCostly) await workInTurn(() => this.#reader.finish());
    else this.#reader.finish();
    this.#fetched = page;
    if (page.end === 'timeout' && !this.#reader.isHeadComplete) throw targetTimeout(this.#request.timeoutMs);
    this.isShortOfTime = page.end === 'timeout';
    if (page.end === 'cut' && !this.#reader.isHeadComplete && !this.#reader.isTitleComplete)
      throw targetDisconnected();
    return page;
  }

  /**
   * Returns the reach of the objects that a page names; undefined for no limit. A script can put what it has
   * read into their URLs, so those of an opened page that a script drew or led to are opened as well.
   */
  #findObjectReach({ reach }: FetchedPage, isRendered: boolean): 'public' | 'opened' | undefined {
    if (this.#reach !== undefined) return this.#reach;
    if (reach === 'opened') return isRendered ? 'opened' : undefined;
    return reach === undefined && !isRendered ? undefined : 'public';
  }

  /** Adds what the request wants to know about the objects that the page names, within `reach`. */
  async #addObjects(
    metadata: PageMetadata,
    page: ScannedPage | null,
    reach: 'public' | 'opened' | undefined,
  ): Promise<MetadataWithObjects> {
    const { fetchPage, client, now } = this.#deps;
    const context = {
      fetchPage,
      client,
      now,
      ...this.#identity,
      ...(reach && { reach }),
      deadline: this.#deadline,
      signal: this.#signal,
    };
    const added = await addObjects(metadata, page, this.#request, context);
    this.isShortOfTime ||= !added.isComplete && this.#deadline - now() <= LATE_MS;
    return added;
  }

  #describe(): PageMetadata {
    const page = this.#reader.page;
    if (page === null) throw targetDisconnected();
    return this.#describePage(page);
  }

  /** Describes the fetched page, or the document that it became in the browser. */
  #describePage(document: ScannedPage): PageMetadata {
    const metadata = describePage(document, this.#request);
    const fetched = this.#fetched;
    const mayRedirect = fetched === null ? this.#request.followRedirects : this.#mayRedirect(fetched.visit);
    const visit = { end: fetched?.end ?? null, mayRedirect };
    if (metadata.details)
      Object.assign(metadata.details, describeVisit(this.#reader.page ?? document, visit));
    return metadata;
  }

  /** Returns the target of a refresh that is followed; or null. */
  #findRefresh({ visit }: FetchedPage): URL | null {
    const { page } = this.#reader;
    return page !== null && this.#mayRedirect(visit) ? findRefreshTarget(page) : null;
  }

  /** Checks whether the visit may go on to another page. */
  #mayRedirect({ redirects }: PageVisit): boolean {
    return this.#request.followRedirects && redirects.length < MAX_REDIRECTS;
  }

  /** Stores the result, unless a wall was fetched, or drawn by a script: it may let the next request pass. */
  async #store(
    key: string,
    { head, end }: FetchedPage,
    document: ScannedPage | null,
    metadata: PageMetadata,
  ): Promise<void> {
    const { cache, now } = this.#deps;
    const { page } = this.#reader;
    if (cache === undefined || end === 'timeout' || end === 'cut' || !mayBeStored(head)) return;
    if (page === null || findWall(page) !== null) return;
    if (document === null || (document !== page && findWall(document) !== null)) return;
    const serialize = () => JSON.stringify(metadata);
    const json = metadata.details === undefined ? serialize() : await workInTurn(serialize);
    try {
      await cache.store(key, { json, storedAtMs: now() });
    } catch {
      // The response does not depend on the cache.
    }
  }
}
