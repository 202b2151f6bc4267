/** Details that the fetch of a page tells, and not its contents. */
import type { PageEnd } from '../page/fetch-page.ts';
import { decodeHeaderText } from '../page/link-header.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { parseUrl } from '../page/text.ts';
import { PageValues } from '../page/page-values.ts';

/** The fetch of a page. */
interface Visit {
  /** Null if the page is still being read. */
  end: PageEnd | null;
  /** False if the page is the last one, wherever it redirects to. */
  mayRedirect: boolean;
}

/** Redirects by RFC 9110 §15.4 that a Location belongs to; 300 and 304 are none. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function describeVisit(
  page: ScannedPage,
  { end, mayRedirect }: Visit,
): Pick<PageDetails, 'location' | 'truncated'> {
  return {
    location: mayRedirect ? null : findRedirect(page),
    truncated: end !== 'complete' && end !== 'stopped',
  };
}

/** Returns the absolute http(s) URL that a page redirects to, by its status or by a refresh; or null. */
function findRedirect(page: ScannedPage): string | null {
  const { status, headers, finalUrl } = page.head;
  const location = headers.get('location');
  if (location === undefined || !REDIRECT_STATUSES.has(status)) return findRefreshTarget(page)?.href ?? null;
  const target = parseUrl(decodeHeaderText(location), finalUrl);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) return null;
  return target.username === '' && target.password === '' ? target.href : null;
}

/**
 * Returns the target of a refresh that acts as a redirect: of the `Refresh` header, else of a meta; or null.
 * A page with an og:title is no redirect.
 */
export function findRefreshTarget({ head, html }: ScannedPage): URL | null {
  const { finalUrl, headers } = head;
  const header = headers.get('refresh');
  const meta = html?.tags.refresh ?? null;
  if (header === undefined && meta === null) return null;
  const values = html === null ? null : new PageValues(html, finalUrl);
  if (values !== null && values.findText(['og:title']) !== null) return null;
  const target = header === undefined ? null : parseRefresh(decodeHeaderText(header), finalUrl);
  if (target !== null || values === null || meta === null) return target;
  return parseRefresh(values.getRaw(meta), values.base);
}

/**
 * Returns the absolute http(s) URL of a `Refresh` header or a `<meta http-equiv="refresh">` that acts within
 * one second (WHATWG HTML §4.2.5.3). Its fragment is not sent, but scripts read it. Returns null for a later
 * refresh, another protocol or a URL with credentials.
 */
function parseRefresh(content: string, base: string): URL | null {
  const match =
    /^[\t\n\f\r ]*(\d*)(?:\.[\d.]*)?(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(.*)$/is.exec(
      content,
    );
  if (match === null || match[1] === '' || Number(match[1]) > 1) return null;
  const rest = match[2]!.trim();
  const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : null;
  const target = quote === null ? rest : rest.slice(1).split(quote)[0]!;
  const url = parseUrl(target, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}
