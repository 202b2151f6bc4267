/** `<meta http-equiv="refresh">`: where it leads, when it leads there at once (WHATWG HTML §4.2.5.3). */
import { resolveUrl } from './text.ts';

/** The target of a refresh after at most one second, absolute and http(s); null for anything else. */
export function parseRefresh(content: string, base: string): URL | null {
  const match =
    /^[\t\n\f\r ]*(\d*)(?:\.[\d.]*)?(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(.*)$/is.exec(
      content,
    );
  if (match === null || match[1] === '' || Number(match[1]) > 1) return null;
  const rest = match[2]!.trim();
  const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : null;
  const target = quote === null ? rest : rest.slice(1).split(quote)[0]!;
  const url = resolveUrl(target, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  return url.username === '' && url.password === '' ? url : null;
}
