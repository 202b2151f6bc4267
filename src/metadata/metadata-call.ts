import { ApiError } from '#errors';
import { workInTurn } from '#concurrency';
import { type GetMetadataRequest, METADATA_OPTIONS } from './metadata-options.ts';
import type { GetMetadataDeps } from './metadata-request.ts';
import { describeVisit, findRefreshTarget } from './details/describe-visit.ts';
import { type MetadataWithObjects, addObjects } from './objects/add-objects.ts';
import { describePage } from './page/describe-page.ts';
import type { FetchedPage, PageIdentity, PageVisit } from './page/fetch-page.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import { MetadataReader } from './page/metadata-reader.ts';
import type { ScannedPage } from './page/scanned-page.ts';
import { type CallRender, CallRenderer } from './render/call-renderer.ts';
import { type Call, targetDisconnected, targetTimeout } from './page/singleflight.ts';
import { findWall } from './blocked/find-wall.ts';
import { mayBeStored } from './page/metadata-cache.ts';

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
  readonly #renderer: CallRenderer;

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
    this.#renderer = new CallRenderer(request, deps, signal);
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
      if (this.#previous !== null && this.#renderer.isScripted && this.#reader.page?.html == null)
        return this.#finishBefore(this.#previous);
      const metadata = this.#describe();
      const refresh = this.#findRefresh(page);
      const rendered = refresh === null ? await this.#render(page, next) : null;
      const target = rendered?.kind === 'navigation' ? rendered.target : refresh;
      if (target === null) return this.#finish(key, page, metadata, rendered);
      this.#previous = { metadata, page: this.#reader.page, fetched: page };
      const { finalUrl, status, headers } = page.head;
      visit = { ...page.visit, redirects: [...page.visit.redirects, { url: finalUrl, status, headers }] };
      next = target;
    }
  }

  /** Describes what the page became with its objects, and stores what is complete. */
  async #finish(
    key: string,
    fetched: FetchedPage,
    metadata: PageMetadata,
    rendered: CallRender | null,
  ): Promise<PageMetadata> {
    const isRendered = rendered?.kind === 'document';
    const described = isRendered ? this.#describeRendered(rendered.document) : metadata;
    const { page } = this.#reader;
    const document = isRendered ? rendered.document : page;
    const reach = this.#renderer.findObjectReach(fetched, isRendered);
    const { result, isComplete } = await this.#addObjects(described, document, reach);
    if (isComplete && rendered?.kind !== 'failed' && !this.isShortOfTime)
      await storeResult(this.#deps, key, { fetched, page, document }, result);
    return result;
  }

  async #finishBefore({ metadata, page, fetched }: PageBefore): Promise<PageMetadata> {
    const reach = this.#renderer.findObjectReach(fetched, this.#renderer.isScripted);
    return (await this.#addObjects(metadata, page, reach)).result;
  }

  async #render(fetched: FetchedPage, requested: URL): Promise<CallRender | null> {
    const rendered = await this.#renderer.render({
      fetched,
      scanned: this.#reader.page,
      requested,
      mayNavigate: this.#mayRedirect(fetched.visit),
      deadline: this.#deadline,
      ...this.#identity,
    });
    this.isShortOfTime ||= rendered?.kind !== 'navigation' && rendered?.isShortOfTime === true;
    return rendered;
  }

  #describeRendered(document: ScannedPage): PageMetadata {
    const metadata = this.#describePage(document);
    if (metadata.details) metadata.details.rendered = true;
    return metadata;
  }

  async #fetch(url: URL, visit: PageVisit | undefined): Promise<FetchedPage> {
    const timeoutMs = this.#deadline - this.#deps.now();
    if (timeoutMs <= 0) throw targetTimeout(this.#request.timeoutMs);
    this.#reader = new MetadataReader(this.#request);
    this.#fetched = null;
    const { followRedirects, maxRedirects } = this.#request;
    const { reach } = this.#renderer;
    const request = {
      client: this.#deps.client,
      url,
      followRedirects,
      ...(maxRedirects !== undefined && { maxRedirects }),
      timeoutMs,
      ...this.#identity,
      ...(visit && { visit }),
      ...(reach && { reach }),
      startPhase: this.#deps.startPhase,
    };
    const page = await this.#deps.fetchPage(request, this.#renderer.keepPage(this.#reader), this.#signal);
    if (this.#reader.isCostly) await workInTurn(() => this.#reader.finish(), this.#deps.client);
    else this.#reader.finish();
    this.#fetched = page;
    if (page.end === 'timeout' && !this.#reader.isHeadComplete) throw targetTimeout(this.#request.timeoutMs);
    this.isShortOfTime = page.end === 'timeout';
    if (page.end === 'cut' && !this.#reader.isHeadComplete && !this.#reader.isTitleComplete)
      throw targetDisconnected();
    return page;
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
    const { followRedirects, maxRedirects = METADATA_OPTIONS.max_redirects.default } = this.#request;
    return followRedirects && redirects.length < maxRedirects;
  }
}

/** The pages that a result was made from. */
interface ResultPages {
  fetched: FetchedPage;
  /** The fetched page, as it was read. */
  page: ScannedPage | null;
  /** The document that was described: the page, or what it became in the browser. */
  document: ScannedPage | null;
}

/** Stores a result, unless a wall was fetched, or drawn by a script: it may let the next request pass. */
async function storeResult(
  { cache, now, client }: Pick<GetMetadataDeps, 'cache' | 'now' | 'client'>,
  key: string,
  { fetched: { head, end }, page, document }: ResultPages,
  metadata: PageMetadata,
): Promise<void> {
  if (cache === undefined || end === 'timeout' || end === 'cut' || !mayBeStored(head)) return;
  if (page === null || findWall(page) !== null) return;
  if (document === null || (document !== page && findWall(document) !== null)) return;
  const serialize = () => JSON.stringify(metadata);
  const json = metadata.details === undefined ? serialize() : await workInTurn(serialize, client);
  try {
    await cache.store(key, { json, storedAtMs: now() });
  } catch {
    // The response does not depend on the cache.
  }
}
