import { ApiError } from '#errors';
import type { GetMetadataRequest } from '../metadata-options.ts';
import type { GetMetadataDeps } from '../metadata-request.ts';
import type { FetchedPage, PageHead, PageIdentity, PageReader } from '../page/fetch-page.ts';
import type { MetadataReader } from '../page/metadata-reader.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import {
  type RenderMode,
  type RenderOutcome,
  createRenderBudget,
  renderIfWanted,
  scanRenderedPage,
} from './page-render.ts';
import { hasCard } from './looks-like-shell.ts';

/** A fetched page of the call. */
interface CallPage extends PageIdentity {
  fetched: FetchedPage;
  scanned: ScannedPage | null;
  /** The URL that was requested, whose fragment scripts may read. */
  requested: URL;
  /** If false, a script that leads to another page is not followed. */
  mayNavigate: boolean;
  /** The time at which the response is due. */
  deadline: number;
}

/**
 * The document that a page became, the target of a script that leads to another page, or `failed`.
 * `isShortOfTime`: something is missing because there was too little time.
 */
export type CallRender =
  | { kind: 'document'; document: ScannedPage; isShortOfTime: boolean }
  | { kind: 'navigation'; target: URL }
  | { kind: 'failed'; isShortOfTime: boolean };

/** Renders the pages of one call, and limits what scripts can reach once they have led to another page. */
export class CallRenderer {
  readonly #request: GetMetadataRequest;
  readonly #deps: GetMetadataDeps;
  readonly #signal: AbortSignal;
  readonly #budget = createRenderBudget();
  /** The bytes of the page that is being fetched, if it may be rendered. */
  #kept: KeptPage | null = null;
  #isScripted = false;
  #reach: 'public' | 'opened' | undefined;

  constructor(request: GetMetadataRequest, deps: GetMetadataDeps, signal: AbortSignal) {
    this.#request = request;
    this.#deps = deps;
    this.#signal = signal;
  }

  /** True once a script has led to another page. */
  get isScripted(): boolean {
    return this.#isScripted;
  }

  /** The addresses that may be contacted, since a script has led to another page. */
  get reach(): 'public' | 'opened' | undefined {
    return this.#reach;
  }

  /** Returns the reader to pass the next page to: `reader`, or one that also keeps the bytes to render. */
  keepPage(reader: MetadataReader): PageReader {
    const { render = 'false' } = this.#request;
    this.#kept = render === 'false' ? null : new KeptPage(reader, render);
    return this.#kept ?? reader;
  }

  /** Renders the page that was fetched last, if the request asks for it; null if not. */
  async render({
    fetched,
    scanned,
    requested,
    mayNavigate,
    deadline,
    ...identity
  }: CallPage): Promise<CallRender | null> {
    const { render = 'false' } = this.#request;
    const kept = this.#kept;
    if (kept === null || scanned === null) return null;
    // Its bytes are not kept while objects are fetched.
    this.#kept = null;
    const page = {
      fetched,
      scanned,
      joinBody: () => kept.joinBytes(),
      requested,
      mayNavigate,
      identity,
      getRemainingMs: () => deadline - this.#deps.now(),
      budget: this.#budget,
    };
    const rendering = renderIfWanted(this.#deps.renderPage, render, page, this.#signal);
    const outcome = await rendering.catch((error: unknown): RenderOutcome => {
      // The page before was rendered. Without a place for this one, what was fetched is described.
      if (this.#isScripted && error instanceof ApiError) return { kind: 'failed' };
      throw error;
    });
    if (outcome === null) return null;
    if (outcome.kind === 'failed') return { kind: 'failed', isShortOfTime: outcome.isLate === true };
    if (outcome.kind === 'document') return this.#scan(outcome, scanned);
    const target = mayNavigate ? this.#followScript(outcome.url, fetched) : null;
    return target === null ? { kind: 'failed', isShortOfTime: false } : { kind: 'navigation', target };
  }

  /**
   * Returns the reach of the objects that a page names; undefined for no limit. A script can put what it has
   * read into their URLs, so the objects of an opened page that a script drew or led to must have opened
   * addresses too.
   */
  findObjectReach({ reach }: FetchedPage, isRendered: boolean): 'public' | 'opened' | undefined {
    if (this.#reach !== undefined) return this.#reach;
    if (reach === 'opened') return isRendered ? 'opened' : undefined;
    return reach === undefined && !isRendered ? undefined : 'public';
  }

  async #scan(
    outcome: Extract<RenderOutcome, { kind: 'document' }>,
    scanned: ScannedPage,
  ): Promise<CallRender> {
    const isShortOfTime = outcome.isIncomplete === true;
    const document = await scanRenderedPage(outcome, scanned, this.#request);
    return document === null
      ? { kind: 'failed', isShortOfTime }
      : { kind: 'document', document, isShortOfTime };
  }

  /** Returns the target of a script; it may be at addresses within the reach of the page only. */
  #followScript(url: string, { reach }: FetchedPage): URL | null {
    this.#isScripted = true;
    this.#reach = reach === 'opened' ? 'opened' : 'public';
    const target = URL.parse(url);
    const isUsable = target !== null && target.username === '' && target.password === '';
    return isUsable ? target : null;
  }
}

/**
 * Passes a page to the reader that describes it, and keeps its bytes for the browser. Reads on after the
 * reader has enough, as the browser needs the whole page; with `auto` only if the page has no card.
 */
export class KeptPage implements PageReader {
  readonly #reader: MetadataReader;
  readonly #mode: RenderMode;
  readonly #chunks: Uint8Array[] = [];
  #isReading = false;
  /** True if the browser needs more than the reader; null until the reader has enough. */
  #needsRest: boolean | null = null;

  constructor(reader: MetadataReader, mode: RenderMode) {
    this.#reader = reader;
    this.#mode = mode;
  }

  start(head: PageHead): boolean {
    this.#chunks.length = 0;
    this.#needsRest = null;
    this.#isReading = this.#reader.start(head);
    return this.#isReading;
  }

  write(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    if (!this.#isReading) return true;
    this.#isReading = this.#reader.write(chunk);
    return this.#isReading || this.#computeNeedsRest();
  }

  get isEnough(): boolean {
    if (!this.#isReading || !this.#reader.isEnough) return false;
    return !(this.#needsRest ??= this.#computeNeedsRest());
  }

  /**
   * Returns the body, as far as it was read, and keeps no other copy: the bytes of the reader if it has read
   * all of them as they are.
   */
  joinBytes(): Uint8Array {
    const length = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const page = this.#reader.page;
    const isAsReceived = page?.html?.bytes.length === length && page.charset === page.html.bytesCharset;
    const joined = isAsReceived ? page.html!.bytes : Buffer.concat(this.#chunks);
    this.#chunks.splice(0, Infinity, joined);
    return joined;
  }

  #computeNeedsRest(): boolean {
    const html = this.#reader.page?.html;
    return html != null && (this.#mode === 'true' || !hasCard(html.tags));
  }
}
