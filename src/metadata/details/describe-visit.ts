/** Details that the fetch of a page tells, and not its contents. */
import type { PageEnd } from '../page/fetch-page.ts';
import { findRefreshTarget } from '../page/find-refresh.ts';
import { decodeHeaderText } from '../page/header-text.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { parseUrl } from '../page/text.ts';

/** The fetch of a page. */
export interface Visit {
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
