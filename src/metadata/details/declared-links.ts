/** Lists the links that a page declares: the links of its HTML, then the links of its `Link` header. */
import { findIconRel, parseIconUrl } from '../page/favicon.ts';
import type { FoundLink } from '../page/page-tags.ts';
import type { HeaderLink } from '../page/link-header.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { parseLanguage } from '../page/parse-language.ts';
import { parseHttpUrl } from '../page/text.ts';

const FEED_TYPES = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
]);
const OEMBED_TYPES = new Set(['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']);

/** A link of either source. Its values are decoded when they are needed. */
export interface DeclaredLink {
  rel: readonly string[];
  isHeader: boolean;
  /** The URL that `href` is relative to. */
  base: string;
  getHref(): string;
  /** Returns the target, or null if it is not an http(s) URL. */
  getUrl(): string | null;
  getText(name: 'type' | 'title' | 'sizes' | 'hreflang'): string | null;
}

/** Returns the links; `values` is null for a page that is not HTML. */
export function listDeclaredLinks(
  values: PageValues | null,
  headerLinks: readonly HeaderLink[],
  finalUrl: string,
): DeclaredLink[] {
  const links = values === null ? [] : values.tags.links.map((link) => toDeclaredLink(values, link));
  const others = headerLinks.map((link) => ({
    rel: link.rel,
    isHeader: true,
    base: finalUrl,
    getHref: () => link.href,
    getUrl: () => parseHttpUrl(link.href, finalUrl),
    getText: (name: 'type' | 'title' | 'sizes' | 'hreflang') => link[name],
  }));
  return [...links, ...others];
}

function toDeclaredLink(values: PageValues, link: FoundLink): DeclaredLink {
  const { rel, attributes } = link;
  // A link with several relations is looked at for each.
  let url: string | null | undefined;
  return {
    rel,
    isHeader: false,
    base: values.base,
    getHref: () => values.getRaw(attributes.get('href')!),
    getUrl: () => (url === undefined ? (url = values.parseLinkUrl(link)) : url),
    getText: (name) => values.getText(attributes.get(name)),
  };
}

/** Returns the target of the first link with one of these relations that is an http(s) URL. */
export function findLinkUrl(links: readonly DeclaredLink[], ...relations: string[]): string | null {
  for (const link of links) {
    const url = relations.some((relation) => link.rel.includes(relation)) ? link.getUrl() : null;
    if (url !== null) return url;
  }
  return null;
}

/** Lists the icons as declared in the HTML, then icons that only the header declares. */
export function listIcons(links: readonly DeclaredLink[], limit: number): PageDetails['icons'] {
  const icons: PageDetails['icons'] = [];
  for (const link of links) {
    if (findIconRel(link.rel) === null && !link.rel.includes('mask-icon')) continue;
    const url = parseIconUrl(link.getHref(), link.base);
    if (url === null || (link.isHeader && icons.some((icon) => icon.url === url))) continue;
    icons.push({ url, sizes: link.getText('sizes'), type: link.getText('type') });
    if (icons.length === limit) break;
  }
  return icons;
}

export function listFeeds(links: readonly DeclaredLink[], limit: number): PageDetails['feeds'] {
  return listTyped(links, FEED_TYPES, limit).map(({ url, title, type }) => ({ url, title, type }));
}

export function listOembed(links: readonly DeclaredLink[], limit: number): PageDetails['oembed'] {
  return listTyped(links, OEMBED_TYPES, limit).map(({ url, type }) => ({ url, type }));
}

/** Lists the links to the page in other languages, `x-default` included. */
export function listAlternates(links: readonly DeclaredLink[], limit: number): PageDetails['alternates'] {
  const found: PageDetails['alternates'] = [];
  for (const link of links) {
    const hreflang = link.rel.includes('alternate') ? link.getText('hreflang') : null;
    if (hreflang === null) continue;
    const language = hreflang.toLowerCase() === 'x-default' ? 'x-default' : parseLanguage(hreflang);
    const url = language === null ? null : link.getUrl();
    if (language === null || url === null) continue;
    found.push({ language, url });
    if (found.length === limit) break;
  }
  return found;
}

/** Lists the links to alternates of these media types, each URL once. */
function listTyped(links: readonly DeclaredLink[], types: ReadonlySet<string>, limit: number) {
  const found = new Map<string, { url: string; type: string; title: string | null }>();
  for (const link of links) {
    if (!['alternate', 'alternative', 'feed'].some((relation) => link.rel.includes(relation))) continue;
    const type = (link.getText('type') ?? '').split(';')[0]!.trim().toLowerCase();
    const url = types.has(type) ? link.getUrl() : null;
    if (url === null || found.has(`${type} ${url}`)) continue;
    found.set(`${type} ${url}`, { url, type, title: link.getText('title') });
    if (found.size === limit) break;
  }
  return [...found.values()];
}
