/** What does this page say of itself? Fetches it, follows a refresh that is a redirect in disguise, and describes what was read. */
import { ApiError } from '#errors';
import { workInTurn } from '#event-loop';
import { type MetadataCache, findLifetimeMs } from './page/metadata-cache.ts';
import { describePage } from './page/describe-page.ts';
import type { FetchedPage, FetchPage, PageVisit } from './page/fetch-page.ts';
import type { PageMetadata } from './page/page-metadata.ts';
import { MetadataReader } from './page/metadata-reader.ts';
import { PageValues } from './page/page-values.ts';
import { parsePageUrl } from './page/parse-page-url.ts';
import { parseRefresh } from './page/parse-refresh.ts';
import { SharedFlights } from './page/singleflight.ts';
import { targetCutOff, targetTimeout } from './page/target-errors.ts';

export interface GetMetadataRequest {
  /** As the caller gave it; it is parsed and refused here. */
  url: string;
  followRedirects: boolean;
  /** The whole budget in milliseconds, from the first look-up to the last byte needed. */
  timeoutMs: number;
  details: boolean;
}

export interface GetMetadataDeps {
  fetchPage: FetchPage;
  /** The visits under way, which identical requests of one client join; without it, each request makes its own visit. */
  flights?: SharedFlights;
  /** The account that asks. Requests of different clients share no visit, as a visit may be aborted for its client's share. */
  client: string;
  /** Milliseconds. */
  now: () => number;
  cache?: MetadataCache | undefined;
}

const MAX_REDIRECTS = 10;

/**
 * Describes the page at `request.url`. Identical requests of one client in flight share one visit, each with its own deadline.
 * Rejects with ApiError `invalid_url` (param url), `timeout` (no head of the page within the budget) or `unreachable`, or with the signal's reason.
 */
export async function getMetadata(
  request: GetMetadataRequest,
  deps: GetMetadataDeps,
  signal?: AbortSignal,
): Promise<PageMetadata> {
  const url = parsePageUrl(request.url);
  signal?.throwIfAborted();
  const key = `${request.followRedirects ? 'follow' : 'stay'} ${request.details ? 'details' : 'fields'} ${url.href}`;
  const cached = deps.cache === undefined ? null : await findCached(deps.cache, key);
  if (cached !== null) return { ...cached, url: request.url };
  const metadata = await (deps.flights ?? new SharedFlights()).join(
    `${deps.client}\n${key}`,
    { timeoutMs: request.timeoutMs, now: deps.now, signal },
    (timeoutMs, flightSignal) => new Visit(url, { ...request, timeoutMs }, deps, flightSignal, key),
  );
  return { ...metadata, url: request.url };
}

/** One walk over the page and what it refreshes to. */
class Visit {
  readonly answer: Promise<PageMetadata>;
  #request: GetMetadataRequest;
  #deps: GetMetadataDeps;
  #signal: AbortSignal;
  #reader: MetadataReader;
  /** What the page before the last refresh said: the answer, should the refresh lead nowhere. */
  #earlier: PageMetadata | null = null;
  #deadline: number;

  constructor(
    url: URL,
    request: GetMetadataRequest,
    deps: GetMetadataDeps,
    signal: AbortSignal,
    key: string,
  ) {
    this.#request = request;
    this.#deps = deps;
    this.#signal = signal;
    this.#reader = new MetadataReader(request);
    this.#deadline = deps.now() + request.timeoutMs;
    this.answer = this.#walk(url, key);
  }

  /** What can be answered by now to a caller whose deadline has come; null when the head is not in. */
  get soFar(): PageMetadata | null {
    return this.#reader.isHeadRead ? this.#describe() : this.#earlier;
  }

  async #walk(url: URL, key: string): Promise<PageMetadata> {
    let next = url;
    let visit: PageVisit | undefined;
    for (;;) {
      let page: FetchedPage;
      try {
        page = await this.#fetch(next, visit);
      } catch (error) {
        if (this.#earlier !== null && error instanceof ApiError) return this.#earlier;
        throw error;
      }
      const metadata = this.#describe();
      const target = this.#findRefresh(page);
      if (target === null) {
        await this.#store(key, page, metadata);
        return metadata;
      }
      this.#earlier = metadata;
      const { finalUrl, status, headers } = page.head;
      visit = { ...page.visit, redirects: [...page.visit.redirects, { url: finalUrl, status, headers }] };
      next = target;
    }
  }

  async #fetch(url: URL, visit: PageVisit | undefined): Promise<FetchedPage> {
    const timeoutMs = this.#deadline - this.#deps.now();
    if (timeoutMs <= 0) throw targetTimeout(this.#request.timeoutMs);
    this.#reader = new MetadataReader(this.#request);
    const request = {
      client: this.#deps.client,
      url,
      followRedirects: this.#request.followRedirects,
      timeoutMs,
      ...(visit && { visit }),
    };
    const page = await this.#deps.fetchPage(request, this.#reader, this.#signal);
    if (this.#reader.isCostly) await workInTurn(() => this.#reader.finish());
    else this.#reader.finish();
    if (page.end === 'timeout' && !this.#reader.isHeadRead) throw targetTimeout(this.#request.timeoutMs);
    if (page.end === 'cut' && !this.#reader.isHeadRead && !this.#reader.isTitleRead) throw targetCutOff();
    return page;
  }

  #describe(): PageMetadata {
    const page = this.#reader.page;
    if (page === null) throw targetCutOff();
    return describePage(page, this.#request);
  }

  /** A refresh within a second is a redirect, unless the page is a page in its own right (it has an og:title). */
  #findRefresh(fetched: FetchedPage): URL | null {
    const page = this.#reader.page;
    if (!this.#request.followRedirects || page?.html == null || page.html.tags.refresh === null) return null;
    if (fetched.visit.redirects.length >= MAX_REDIRECTS) return null;
    const values = new PageValues(page.html, page.head.finalUrl);
    if (values.text(['og:title']) !== null) return null;
    return parseRefresh(values.raw(page.html.tags.refresh), values.base);
  }

  async #store(key: string, page: FetchedPage, metadata: PageMetadata): Promise<void> {
    const { cache } = this.#deps;
    if (cache === undefined || page.end === 'timeout' || page.end === 'cut') return;
    const lifetimeMs = findLifetimeMs(page.head, cache.ttlSeconds, this.#deps.now());
    if (lifetimeMs <= 0) return;
    try {
      await cache.store(key, metadata, lifetimeMs);
    } catch {
      // The answer does not depend on its being kept.
    }
  }
}

/** A cache that is out of order is an empty one. */
async function findCached(cache: MetadataCache, key: string): Promise<PageMetadata | null> {
  try {
    return await cache.find(key);
  } catch {
    return null;
  }
}
