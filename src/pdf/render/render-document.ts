import { ApiError } from '#errors';
import type { Browser } from '../browser/browser.ts';
import type { BrowserKeeper, Workshop } from '../browser/browser-keeper.ts';
import { CdpClosedError } from '../browser/cdp-connection.ts';
import { PageLostError, type Page } from '../browser/page.ts';
import { readResidentBytes } from '../browser/process-mark.ts';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { OpenResourceFetcher } from '../fetch-resource.ts';
import { hasGiantPage, readPageCount } from '../pdf-pages.ts';
import type { GeneratedPdf, PdfRequest } from '../pdf-request.ts';
import type { DocumentWorker } from '../worker/document-worker.ts';
import { renderDeadlineMs, resourceDeadlineMs } from './deadline.ts';
import { finish, prepare } from './off-thread.ts';
import { toApiError } from './render-error.ts';
import { renderFresh } from './render-fresh.ts';
import { awaitPage, watchBrowser, withinLimits } from './render-limits.ts';
import { renderStatic } from './render-static.ts';

export interface RenderOptions {
  keyId: string;
  accountId: string;
  /** Does the work on large documents. */
  worker: DocumentWorker;
  signal: AbortSignal | undefined;
  openResourceFetcher: OpenResourceFetcher;
  rendererMemoryMb: number;
  timeoutMs: number;
  /** Milliseconds; only differences count. */
  now: () => number;
}

const MAX_RESOURCE_BYTES = 50 * 1024 * 1024;
const MAX_RESOURCE_REQUESTS = 500;

/** Renders one document that has its slot: picks the lane, keeps the limits, and tries once more, alone, what was lost to another's crash; one deadline holds for both. */
export async function renderDocument(
  keeper: BrowserKeeper,
  request: PdfRequest,
  options: RenderOptions,
): Promise<GeneratedPdf> {
  const deadlineMs = renderDeadlineMs(request, options.timeoutMs);
  const startedAt = options.now();
  const prepared = await prepare(request, { ...options, remainingMs: deadlineMs });
  const remainingMs = deadlineMs - (options.now() - startedAt);
  const workshop = await keeper.use();
  const attemptOptions = { ...options, prepared, endsAt: options.now() + remainingMs };
  try {
    return await attempt(keeper, workshop, request, { ...attemptOptions, isAlone: false });
  } catch (error) {
    if (!isBrowserLoss(error, workshop.browser)) throw toApiError(error);
  }
  const own = await keeper.openPrivate();
  try {
    return await attempt(keeper, own, request, { ...attemptOptions, isAlone: true });
  } catch (error) {
    const reason = own.browser.isOverfull ? 'memory' : 'crashed';
    throw toApiError(isBrowserLoss(error, own.browser) ? new PageLostError(reason) : error);
  } finally {
    await own.browser.close();
  }
}

function isBrowserLoss(error: unknown, browser: Browser): boolean {
  return (
    (error instanceof PageLostError && error.reason === 'browser') ||
    (error instanceof CdpClosedError && browser.isLost)
  );
}

interface AttemptOptions extends RenderOptions {
  prepared: PreparedRequest;
  /** When the deadline is, by `now`. */
  endsAt: number;
  /** Whether the browser is this render's own. */
  isAlone: boolean;
}

async function attempt(
  keeper: BrowserKeeper,
  { browser, pool }: Workshop,
  request: PdfRequest,
  options: AttemptOptions,
): Promise<GeneratedPdf> {
  const { lane } = options.prepared;
  browser.inFlight += 1;
  browser.renders += 1;
  let page: Page | null = null;
  const unwatch = options.isAlone
    ? () => {}
    : watchBrowser(browser, () => page === null || browser.inFlight > 1);
  try {
    const taking = lane === 'static' ? pool.takeOwned(options.keyId) : pool.takeFresh();
    page = await awaitPage(taking, browser, options);
    const pdf = await withinLimits(browser, page, options, () => render(page as Page, request, options));
    const pages = await checkPages(pdf);
    return { pdf: isTagged(request) ? await finishInTime(pdf, request, options) : pdf, pages, lane };
  } catch (error) {
    if (page && page.lossReason === null) page.lose('abandoned');
    if (page?.lossReason !== 'browser') void keeper.checkAnswers(browser);
    throw error;
  } finally {
    unwatch();
    browser.inFlight -= 1;
    if (page) {
      page.onLoad = null;
      page.renders += 1;
      if (lane === 'static')
        pool.giveBack(page, {
          keyId: options.keyId,
          htmlBytes: request.htmlBytes,
          residentBytes: readResidentBytes(page.pid),
        });
      else browser.discardPage(page);
    }
    keeper.afterRender(browser);
  }
}

function render(page: Page, request: PdfRequest, options: AttemptOptions): Promise<Buffer> {
  const { prepared } = options;
  if (prepared.lane === 'static') return renderStatic(page, request, prepared);
  const timeoutMs = resourceDeadlineMs(options.endsAt - options.now());
  const budget = { maxBytes: MAX_RESOURCE_BYTES, maxRequests: MAX_RESOURCE_REQUESTS, timeoutMs };
  const fetchResource = options.openResourceFetcher(budget, options.accountId);
  return renderFresh(page, request, { prepared, fetchResource, timeoutMs });
}

function isTagged(request: PdfRequest): boolean {
  return request.tagged || request.outline;
}

function finishInTime(pdf: Buffer, request: PdfRequest, options: AttemptOptions): Promise<Buffer> {
  const title = request.filename.replace(/\.pdf$/i, '');
  return finish(pdf, title, { ...options, remainingMs: options.endsAt - options.now() });
}

/** Counts the pages. Only an @page rule of the document can ask for a sheet that no viewer shows. */
async function checkPages(pdf: Buffer): Promise<number> {
  const pages = readPageCount(pdf);
  if (pages === null) throw new ApiError('render_failed');
  if (await hasGiantPage(pdf)) {
    throw new ApiError(
      'render_failed',
      'The @page rule of the document asks for a sheet of more than 200 inches: correct it, or send page_size.',
    );
  }
  return pages;
}
