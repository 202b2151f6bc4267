import type { BrowserKeeper } from '../browser-keeper.ts';
import { PageLostError } from '../browser-errors.ts';
import { BLOCKED_PORTS } from '../documents/blocked-ports.ts';
import { LiveDocument } from '../documents/live-document.ts';
import type { Page } from '../pages/page.ts';
import { renderPage, type RenderLimits } from '../render-page.ts';
import type { FetchResource } from '../resources/fetch-resource.ts';
import { readDocument } from './read-document.ts';
import { WebPageRequests } from './web-page-requests.ts';

/** A page of the web that was fetched. */
export interface WebPage {
  /** The URL that responded, with the fragment of the request. */
  url: string;
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** The MIME type and the charset of the body. */
  contentType: string;
  body: Uint8Array;
  /** The User-Agent of the page and its requests; default: the browser's, and the service's. */
  userAgent?: string;
  /** The Accept-Language of the page and its requests; without one the browser's. */
  language?: string | null;
}

export interface WebPageOptions extends RenderLimits {
  /** The fetcher of the render: a second attempt goes on with what the first has left of its budget. */
  fetchResource: FetchResource;
  /** Another page to which a script leads is the outcome. If false, the page stays and its request fails. */
  mayNavigate: boolean;
  /** The time that the page's clock starts at, in milliseconds since 1970. */
  epochMs: number;
}

/**
 * The document that a page became (`isIncomplete`: requests had no response in their share of the time), or
 * the page that it led to.
 */
export type WebPageOutcome =
  | { kind: 'document'; url: string; html: string; isIncomplete: boolean }
  | { kind: 'navigation'; url: string };

/** The headers of a page that apply in the browser. Its policies hold as they do for a visitor. */
const SUPPLIED_HEADERS = [
  'content-language',
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
];
/** The part of the time after which requests without a response fail, so that the page can go on without. */
const REQUEST_SHARE = 0.6;

/**
 * Opens a fetched page in a page that is used once, runs its scripts until it is idle in virtual time, and
 * reads its document. Throws PageLostError (`deadline` if it is not idle in time), CdpError,
 * BrowserUnavailableError and the signal's reason.
 */
export async function renderWebPage(
  keeper: BrowserKeeper,
  webPage: WebPage,
  { fetchResource, mayNavigate, epochMs, ...limits }: WebPageOptions,
): Promise<WebPageOutcome> {
  const { port } = new URL(webPage.url);
  if (port !== '' && BLOCKED_PORTS.has(Number(port))) throw new PageLostError('navigated');
  return renderPage(
    keeper,
    {
      reuse: null,
      render: (page, remainingMs) =>
        new WebPageVisit(page, webPage, mayNavigate).run({
          fetchResource,
          settleMs: remainingMs,
          now: limits.now,
          epochMs,
        }),
      finish: (outcome) => Promise.resolve(outcome),
    },
    limits,
  );
}

interface VisitOptions {
  fetchResource: FetchResource;
  settleMs: number;
  now: () => number;
  epochMs: number;
}

/** One page of the web in one page of the browser. */
class WebPageVisit {
  readonly #page: Page;
  readonly #webPage: WebPage;
  readonly #mayNavigate: boolean;

  constructor(page: Page, webPage: WebPage, mayNavigate: boolean) {
    this.#page = page;
    this.#webPage = webPage;
    this.#mayNavigate = mayNavigate;
  }

  async run({ fetchResource, settleMs, now, epochMs }: VisitOptions): Promise<WebPageOutcome> {
    const navigated = Promise.withResolvers<WebPageOutcome>();
    const requests = new WebPageRequests(this.#page, {
      url: this.#webPage.url,
      fetchResource,
      timeoutMs: settleMs * REQUEST_SHARE,
      onNavigation: this.#mayNavigate ? (url) => navigated.resolve({ kind: 'navigation', url }) : null,
    });
    const endsAt = now() + settleMs;
    const limits = { settleMs, now, onNoResponse: 'wait' } as const;
    try {
      const document = this.#render(requests, { ...limits, epochMs, endsAt });
      // It is abandoned with its page if the page leads to another one.
      document.catch(() => {});
      return await Promise.race([navigated.promise, document]);
    } finally {
      requests.stop();
    }
  }

  async #render(
    requests: WebPageRequests,
    {
      epochMs,
      endsAt,
      ...limits
    }: Parameters<typeof LiveDocument.enter>[3] & { epochMs: number; endsAt: number },
  ): Promise<WebPageOutcome> {
    const { url, status, headers, contentType, body, userAgent, language = null } = this.#webPage;
    if (userAgent !== undefined) {
      const acceptLanguage = listLanguages(language);
      this.#page.sendAndForget('Emulation.setUserAgentOverride', {
        userAgent,
        ...(acceptLanguage !== '' && { acceptLanguage }),
      });
    }
    const supplied = SUPPLIED_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === undefined ? [] : [{ name, value }];
    });
    const response = {
      // A status without a body, or of a redirect, would open no document.
      responseCode: status >= 400 ? status : 200,
      responseHeaders: [{ name: 'content-type', value: contentType }, ...supplied],
      body,
    };
    const document = await LiveDocument.enter(this.#page, { url, response, epochMs }, requests, limits);
    await document.runToIdle();
    if (limits.now() >= endsAt) throw new PageLostError('deadline');
    const read = await readDocument(this.#page);
    const { hasTimedOut: isIncomplete } = requests;
    return { kind: 'document', url: toOwnUrl(read.url, url), html: read.html, isIncomplete };
  }
}

/** Returns the languages of an Accept-Language header as `navigator.languages` lists them: no weights. */
function listLanguages(header: string | null): string {
  const ranges = (header ?? '').split(',').map((range) => range.trim());
  const accepted = ranges.filter((range) => !/^\*|;q=0$/.test(range));
  return accepted.map((range) => range.replace(/;.*/, '')).join(',');
}

/** Returns the URL of a document, or `own` if it is not one of the same origin and of a usual length. */
function toOwnUrl(text: string, own: string): string {
  const url = text.length <= 4096 ? URL.parse(text) : null;
  return url !== null && url.origin === new URL(own).origin ? url.href : own;
}
