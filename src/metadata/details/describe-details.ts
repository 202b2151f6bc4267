/** Describes the details of a page: at most 50 of each kind, also from after the stop point. */
import { findWall } from '../blocked/find-wall.ts';
import { describeFile } from '../files/describe-file.ts';
import { findPageKind } from '../page/content-type.ts';
import { parseLinkHeader } from '../page/link-header.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { parseLanguage } from '../page/parse-language.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { normalizeText } from '../page/text.ts';
import { listAppLinks } from './app-links.ts';
import { findPublisher, formatAuthors, listAuthors } from './authors.ts';
import {
  type DeclaredLink,
  findLinkUrl,
  listAlternates,
  listDeclaredLinks,
  listFeeds,
  listIcons,
  listOembed,
} from './declared-links.ts';
import { JsonLdGraph } from './json-ld-graph.ts';
import { findJsonLdLogo, listAudio, listImages, listVideos } from './media.ts';
import { parseJsonLd } from './json-ld.ts';
import { findModifiedTime, findPublishedTime } from './times.ts';
import { findSection, listArticleTags, listKeywords } from './topics.ts';

const MAX_OF_EACH = 50;
const MAX_AUTHORS = 20;
const MAX_DIRECTIVE_LENGTH = 200;

/** The details that do not need HTML. */
type ResponseDetails = Pick<
  PageDetails,
  | 'finalUrl'
  | 'status'
  | 'contentType'
  | 'redirects'
  | 'location'
  | 'truncated'
  | 'canonical'
  | 'manifest'
  | 'amphtml'
  | 'icons'
  | 'feeds'
  | 'oembed'
  | 'alternates'
  | 'blocked'
  | 'rendered'
  | 'contentLength'
  | 'file'
  | 'probed'
  | 'oembedResponse'
  | 'robots'
>;
type HtmlDetails = Omit<PageDetails, keyof ResponseDetails>;

/** Returns the details of a page; `values` is null if it is not HTML. */
export function describeDetails(page: ScannedPage, values: PageValues | null): PageDetails {
  const { head } = page;
  const headerLinks = parseLinkHeader(head.headers.get('link'), head.finalUrl);
  const links = listDeclaredLinks(values, headerLinks, head.finalUrl);
  const header = normalizeText(head.headers.get('x-robots-tag') ?? '', 'text');
  const html = values === null ? NO_HTML : describeHtml(values, links, head.finalUrl);
  return {
    rendered: false,
    finalUrl: head.finalUrl,
    status: head.status,
    contentType: normalizeText(head.headers.get('content-type') ?? '', 'text'),
    redirects: head.redirects.map(({ url, status }) => ({ url, status })),
    location: null,
    truncated: false,
    canonical: findLinkUrl(links, 'canonical'),
    manifest: findLinkUrl(links, 'manifest'),
    amphtml: findLinkUrl(links, 'amphtml'),
    icons: listIcons(links, MAX_OF_EACH),
    feeds: listFeeds(links, MAX_OF_EACH),
    oembed: listOembed(links, MAX_OF_EACH),
    alternates: listAlternates(links, MAX_OF_EACH),
    ...html,
    robots: joinDirectives([...(values?.listTexts('robots') ?? []), ...(header === null ? [] : [header])]),
    blocked: findWall(page),
    contentLength: parseContentLength(head.headers.get('content-length')),
    file:
      values === null && !isDeclaredHtml(page)
        ? describeFile({ bytes: page.file, contentType: page.contentType })
        : null,
    probed: null,
    oembedResponse: null,
  };
}

/** The details of a page that is not HTML. */
const NO_HTML: HtmlDetails = {
  themeColor: null,
  author: null,
  authors: [],
  publisher: null,
  logo: null,
  publishedTime: null,
  publishedTimeRaw: null,
  modifiedTime: null,
  modifiedTimeRaw: null,
  section: null,
  articleTags: [],
  keywords: [],
  locale: null,
  localeAlternates: [],
  image: null,
  images: [],
  video: [],
  audio: [],
  appLinks: [],
  tags: {},
  jsonLd: [],
};

function describeHtml(values: PageValues, links: readonly DeclaredLink[], finalUrl: string): HtmlDetails {
  const jsonLd = parseJsonLdBlocks(values);
  const graph = new JsonLdGraph(jsonLd, {
    urls: listPageUrls(values, links, finalUrl),
    titles: [values.findTitle(), values.findText(['og:title'], true)].filter((title) => title !== null),
    isArticle: isArticle(values),
  });
  const authors = listAuthors(values, graph, MAX_AUTHORS);
  const published = findPublishedTime(values, graph);
  const modified = findModifiedTime(values, graph);
  const images = listImages(values, graph, links, MAX_OF_EACH);
  return {
    themeColor: values.findText(['theme-color'], true),
    author: formatAuthors(authors),
    authors,
    publisher: findPublisher(values, graph),
    logo: findJsonLdLogo(values, graph)?.url ?? values.findUrl(['og:logo'], true),
    publishedTime: published.iso,
    publishedTimeRaw: published.raw,
    modifiedTime: modified.iso,
    modifiedTimeRaw: modified.raw,
    section: findSection(values, graph),
    articleTags: listArticleTags(values, MAX_OF_EACH),
    keywords: listKeywords(values, graph, MAX_OF_EACH),
    locale: listLanguages(values, 'og:locale')[0] ?? null,
    localeAlternates: listLanguages(values, 'og:locale:alternate'),
    image: images[0] ?? null,
    images,
    video: listVideos(values, graph, MAX_OF_EACH),
    audio: listAudio(values, MAX_OF_EACH),
    appLinks: listAppLinks(values, links),
    tags: mapTags(values),
    jsonLd,
  };
}

/** Joins lists of directives for robots: each directive once, at most 50. */
function joinDirectives(lists: readonly string[]): string | null {
  const byKey = new Map<string, string>();
  for (const directive of lists.flatMap((list) => list.split(',', 1_000)).map((text) => text.trim())) {
    const key = directive.toLowerCase();
    if (directive !== '' && directive.length <= MAX_DIRECTIVE_LENGTH && !byKey.has(key))
      byKey.set(key, directive);
  }
  return byKey.size === 0 ? null : [...byKey.values()].slice(0, MAX_OF_EACH).join(', ');
}

function parseContentLength(header: string | undefined): number | null {
  return /^\d{1,15}$/.test(header ?? '') ? Number(header) : null;
}

/** An empty body is HTML, too, if its type says so. */
function isDeclaredHtml({ head }: ScannedPage): boolean {
  const kind = findPageKind(head.headers.get('content-type'));
  return kind === 'html' || kind === 'xhtml';
}

/** Returns the addresses of the page, by which its node in the JSON-LD is found. */
function listPageUrls(values: PageValues, links: readonly DeclaredLink[], finalUrl: string): string[] {
  const declared = [findLinkUrl(links, 'canonical'), values.findUrl(['og:url'], true)];
  return [finalUrl, ...declared.filter((url) => url !== null)];
}

function isArticle(values: PageValues): boolean {
  return values.findText(['og:type'], true)?.toLowerCase() === 'article';
}

function listLanguages(values: PageValues, key: string): string[] {
  const tags = values.listTexts(key).slice(0, MAX_OF_EACH).map(parseLanguage);
  return [...new Set(tags.filter((tag) => tag !== null))];
}

function parseJsonLdBlocks(values: PageValues): unknown[] {
  const blocks: unknown[] = [];
  for (const range of values.tags.jsonLd.ranges) {
    const value = parseJsonLd(values.getSource(range));
    if (value !== null && typeof value === 'object') blocks.push(value);
  }
  return blocks;
}

// Maps the social tags of a page to their contents.

/** `og:`, `twitter:`, `article:`, and the other vocabularies that pages use with them. */
const PREFIX = /^(?:al|article|books?|fb|music|og|product|profile|twitter|video):/;
const KEY = /^[a-z0-9_:.-]+$/;
const MAX_KEYS = 200;
const MAX_CONTENTS = 50;
/** A meta with several keys would otherwise multiply its content in the response. */
const MAX_CHARACTERS = 100_000;

/**
 * Returns the contents of each tag in the order of the page: at most 200 tags, 50 contents of each, and
 * 100,000 characters in all.
 */
function mapTags(values: PageValues): Record<string, string[]> {
  const byKey = new Map<string, string[]>();
  let characters = 0;
  for (const { key, content } of values.tags.metas) {
    if (!PREFIX.test(key) || !KEY.test(key)) continue;
    const contents = byKey.get(key) ?? [];
    if (contents.length === MAX_CONTENTS || (contents.length === 0 && byKey.size === MAX_KEYS)) continue;
    const text = values.getText(content);
    if (text === null) continue;
    characters += key.length + text.length;
    if (characters > MAX_CHARACTERS) break;
    contents.push(text);
    byKey.set(key, contents);
  }
  return Object.fromEntries(byKey);
}
