import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import type { PageIdentity, RenderOutcome, RenderPageRequest } from '#metadata';
import { BrowserUnavailableError, CdpClosedError, CdpError, PageLostError } from '../browser-errors.ts';
import type { Page } from '../pages/page.ts';
import type { RenderSlots, SlotOptions } from '../render-slots.ts';
import { LiveDocument } from '../documents/live-document.ts';
import type { FetchResource, OpenResourceFetcher } from '../resources/fetch-resource.ts';
import type { SuppliedResponse } from '../cdp/cdp-connection.ts';
import { BLOCKED_PORTS } from '../documents/load-document.ts';
import { renderPage } from '../render-page.ts';
import { WebPageRequests } from './web-page-requests.ts';

export interface PageRendererOptions<Caller> {
  slots: RenderSlots<Caller>;
  openResourceFetcher: OpenResourceFetcher;
  /** The resident memory at which a renderer is killed, in MiB. */
  rendererMemoryMb: number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Names the account, as shares at hosts and in the browser do; default: its id. */
  nameClient?: (caller: Caller) => string;
}

/** A page of the web that was fetched, with the headers that its scripts see and its requests send. */
export interface PageRequest extends Omit<RenderPageRequest, keyof PageIdentity> {
  /** The User-Agent of the page and its requests; default: the browser's, and the service's. */
  userAgent?: string;
  /** The Accept-Language of the page and its requests; without one the browser's. */
  language?: string | null;
}

/**
 * Renders one page of the web in a slot of the caller. Rejects with the signal's reason, and with ApiError
 * `unavailable` (no browser), `overloaded` and `rate_limit_exceeded` (no slot).
 */
export type PageRenderer<Caller> = (
  request: PageRequest,
  caller: Caller,
  signal?: AbortSignal,
  slot?: SlotOptions,
) => Promise<RenderOutcome>;

/** Creates the function that renders pages of the web, with what their scripts load. */
export function createPageRenderer<Caller extends { accountId: string }>({
  slots,
  openResourceFetcher,
  rendererMemoryMb,
  now,
  nameClient = ({ accountId }) => accountId,
}: PageRendererOptions<Caller>): PageRenderer<Caller> {
  return async (webPage, caller, signal, slot) => {
    const { reach, timeoutMs, budget, userAgent, language } = webPage;
    const { bytes: maxBytes, requests: maxRequests } = budget;
    const { port } = new URL(webPage.url);
    if (port !== '' && BLOCKED_PORTS.has(Number(port))) return { kind: 'failed' };
    // The page itself is the first request.
    budget.requests -= 1;
    budget.bytes -= webPage.body.length;
    if (budget.requests < 0 || budget.bytes < 0) return { kind: 'failed' };
    const endsAt = now() + timeoutMs;
    const deadline = openDeadline(timeoutMs, signal);
    const limits = {
      ...(userAgent !== undefined && { userAgent }),
      ...(language !== undefined && { language }),
      maxBytes,
      maxRequests,
      left: budget,
      isReadOnly: true,
      reach,
    };
    const work: Parameters<typeof slots.run<RenderOutcome>>[2] = (keeper, held) => {
      const remainingMs = endsAt - now();
      const client = nameClient(caller);
      const fetchResource = openResourceFetcher({ ...limits, timeoutMs: remainingMs }, client);
      const render = (page: Page, settleMs: number): Promise<RenderOutcome> =>
        visitWebPage(page, webPage, { fetchResource, settleMs, now });
      return renderPage(
        keeper,
        { reuse: null, render },
        { accountId: client, remainingMs, now, rendererMemoryMb, signal: held },
      );
    };
    try {
      return await slots.run(caller, deadline.signal, work, slot);
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = error instanceof PageLostError && error.reason === 'deadline';
      if (deadline.signal.aborted || isLate) return { kind: 'failed', isLate: true };
      if (LOST.some((kind) => error instanceof kind)) return { kind: 'failed' };
      throw toApiError(error);
    } finally {
      deadline.close();
    }
  };
}

/** The errors of one render: the fetched page is described instead. */
const LOST = [PageLostError, CdpError, CdpClosedError];

function toApiError(error: unknown): unknown {
  if (!(error instanceof BrowserUnavailableError)) return error;
  return new ApiError(
    'unavailable',
    'Pages cannot be rendered: the service has no browser. Try again after Retry-After, or without render=true.',
    { retryAfterSeconds: error.retryAfterSeconds, cause: error.cause },
  );
}

/** The headers of a page that apply in the browser. Its policies hold as they do for a visitor. */
const SUPPLIED_HEADERS = [
  'content-language',
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
];
/** The part of the time after which requests without a response fail, so that the page can continue. */
const REQUEST_SHARE = 0.6;

/**
 * Opens a fetched page in a page that is used once, runs its scripts until it is idle in virtual time, and
 * reads its document. Throws PageLostError (`deadline` if it is not idle in time) and CdpError.
 */
async function visitWebPage(
  page: Page,
  webPage: PageRequest,
  { fetchResource, settleMs, now }: { fetchResource: FetchResource; settleMs: number; now: () => number },
): Promise<RenderOutcome> {
  const endsAt = now() + settleMs;
  const { url, userAgent, language = null } = webPage;
  const navigated = Promise.withResolvers<RenderOutcome>();
  const requests = new WebPageRequests(page, {
    url,
    fetchResource,
    timeoutMs: settleMs * REQUEST_SHARE,
    onNavigation: webPage.mayNavigate
      ? (target) => navigated.resolve({ kind: 'navigation', url: target })
      : null,
  });
  const openAndRead = async (): Promise<RenderOutcome> => {
    if (userAgent !== undefined) {
      const acceptLanguage = listLanguages(language);
      const override = { userAgent, ...(acceptLanguage !== '' && { acceptLanguage }) };
      page.sendAndForget('Emulation.setUserAgentOverride', override);
    }
    const source = { url, response: toSupplied(webPage), epochMs: now() };
    const document = await LiveDocument.load(page, source, requests, { settleMs, now, onNoResponse: 'wait' });
    await document.runToIdle();
    if (now() >= endsAt) throw new PageLostError('deadline');
    const read = await readDocument(page);
    const isIncomplete = requests.hasTimedOut;
    return { kind: 'document', url: toOwnUrl(read.url, url), html: read.html, isIncomplete };
  };
  try {
    const document = openAndRead();
    // It is abandoned with its page if the page leads to another one.
    document.catch(() => {});
    return await Promise.race([navigated.promise, document]);
  } finally {
    requests.stop();
  }
}

function toSupplied({ status, headers, contentType, body }: PageRequest): SuppliedResponse {
  const supplied = SUPPLIED_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [{ name, value }];
  });
  return {
    // A status without a body, or of a redirect, would open no document.
    responseCode: status >= 400 ? status : 200,
    responseHeaders: [{ name: 'content-type', value: contentType }, ...supplied],
    body,
  };
}

/** Returns the languages of an Accept-Language header as `navigator.languages` lists them: no weights. */
function listLanguages(header: string | null): string {
  const ranges = (header ?? '').split(',').map((range) => range.trim());
  const accepted = ranges.filter((range) => !/^\*|;q=0$/.test(range));
  return accepted.map((range) => range.replace(/;.*/, '')).join(',');
}

/** Returns the URL of a document, or `own` if the URL has another origin or is too long. */
function toOwnUrl(text: string, own: string): string {
  const url = text.length <= 4096 ? URL.parse(text) : null;
  return url !== null && url.origin === new URL(own).origin ? url.href : own;
}

/**
 * Reads the URL of a page, which its scripts can change within its origin, and its markup: of the whole
 * document, or of its head alone if the whole is larger than 2 MiB as JSON. Calls no function of the page,
 * whose scripts may have replaced all of them, and elements with the name of a property hide it from scripts.
 * Throws CdpError if the head is too large.
 */
async function readDocument(page: Page): Promise<{ url: string; html: string }> {
  const { root } = await page.send('DOM.getDocument', { depth: 1 });
  const url = root.documentURL ?? '';
  try {
    const { outerHTML } = await page.send('DOM.getOuterHTML', { nodeId: root.nodeId });
    return { url, html: outerHTML };
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
  }
  const { nodeId } = await page.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'head' });
  const { outerHTML } = await page.send('DOM.getOuterHTML', { nodeId });
  const attributes = root.children?.find(({ nodeName }) => nodeName.toLowerCase() === 'html')?.attributes;
  return { url, html: `<html${formatLanguage(attributes ?? [])}>${outerHTML}</html>` };
}

/** Returns the attribute `lang` of a list of names and values, which alternate. */
function formatLanguage(attributes: readonly string[]): string {
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'lang');
  const language = at < 0 ? '' : (attributes[at + 1] ?? '');
  return /^[\w-]{1,100}$/.test(language) ? ` lang="${language}"` : '';
}
