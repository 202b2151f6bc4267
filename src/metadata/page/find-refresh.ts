import { decodeHeaderText } from './header-text.ts';
import { PageValues } from './page-values.ts';
import type { ScannedPage } from './scanned-page.ts';
import { parseUrl } from './text.ts';

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
