/** Describes the details of a page: at most 50 of each kind, also from after the stop point. */
import { findIconRel, parseIconUrl } from '../page/favicon.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import type { PageValues } from '../page/page-values.ts';
import { normalizeText } from '../page/text.ts';
import { findJsonLdText, parseJsonLd } from './json-ld.ts';
import { listAudio, listImages, listVideos } from './media.ts';

const MAX_OF_EACH = 50;

const FEED_TYPES = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
]);
const OEMBED_TYPES = new Set(['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']);

const AUTHOR = ['author', 'article:author', 'parsely-author', 'dc.creator', 'dcterms.creator'];
const PUBLISHED = [
  'article:published_time',
  'og:article:published_time',
  'datepublished',
  'parsely-pub-date',
  'pubdate',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.created',
];
const MODIFIED = [
  'article:modified_time',
  'og:article:modified_time',
  'og:updated_time',
  'datemodified',
  'dcterms.modified',
];

/** Returns the details of a page; `values` is null if it is not HTML. */
export function describeDetails(page: ScannedPage, values: PageValues | null): PageDetails {
  const { head } = page;
  const jsonLd = values === null ? [] : parseJsonLdBlocks(values);
  const findText = (keys: readonly string[]) => values?.findText(keys, true) ?? null;
  return {
    finalUrl: head.finalUrl,
    status: head.status,
    contentType: normalizeText(head.headers.get('content-type') ?? '', 'text'),
    redirects: head.redirects.map(({ url, status }) => ({ url, status })),
    canonical: values === null ? null : findCanonical(values),
    themeColor: findText(['theme-color']),
    author: findText(AUTHOR),
    publishedTime: findText(PUBLISHED) ?? findTime(jsonLd, 'datePublished'),
    modifiedTime: findText(MODIFIED) ?? findTime(jsonLd, 'dateModified'),
    icons: values === null ? [] : listIcons(values),
    images: values === null ? [] : listImages(values, MAX_OF_EACH),
    video: values === null ? [] : listVideos(values, MAX_OF_EACH),
    audio: values === null ? [] : listAudio(values, MAX_OF_EACH),
    feeds: values === null ? [] : listFeeds(values),
    oembed: values === null ? [] : listOembed(values),
    jsonLd,
    robots: findText(['robots']) ?? normalizeText(head.headers.get('x-robots-tag') ?? '', 'text'),
  };
}

function findCanonical(values: PageValues): string | null {
  for (const link of values.tags.links) {
    const url = link.rel.includes('canonical') ? values.parseLinkUrl(link) : null;
    if (url !== null) return url;
  }
  return null;
}

function listIcons(values: PageValues): PageDetails['icons'] {
  const icons: PageDetails['icons'] = [];
  for (const { rel, attributes } of values.tags.links) {
    if (findIconRel(rel) === null && !rel.includes('mask-icon')) continue;
    const url = parseIconUrl(values.getRaw(attributes.get('href')!), values.base);
    if (url === null) continue;
    const sizes = values.getText(attributes.get('sizes'));
    icons.push({ url, sizes, type: values.getText(attributes.get('type')) });
    if (icons.length === MAX_OF_EACH) break;
  }
  return icons;
}

/** Returns the page's links to alternates of these media types. */
function listAlternates(values: PageValues, types: ReadonlySet<string>) {
  const found: { url: string; type: string; title: string | null }[] = [];
  for (const link of values.tags.links) {
    if (!link.rel.includes('alternate') && !link.rel.includes('alternative') && !link.rel.includes('feed'))
      continue;
    const type = (values.getText(link.attributes.get('type')) ?? '').split(';')[0]!.trim().toLowerCase();
    const url = types.has(type) ? values.parseLinkUrl(link) : null;
    if (url === null) continue;
    found.push({ url, type, title: values.getText(link.attributes.get('title')) });
    if (found.length === MAX_OF_EACH) break;
  }
  return found;
}

function listFeeds(values: PageValues): PageDetails['feeds'] {
  return listAlternates(values, FEED_TYPES).map(({ url, title, type }) => ({ url, title, type }));
}

function listOembed(values: PageValues): PageDetails['oembed'] {
  return listAlternates(values, OEMBED_TYPES).map(({ url, type }) => ({ url, type }));
}

function parseJsonLdBlocks(values: PageValues): unknown[] {
  const blocks: unknown[] = [];
  for (const range of values.tags.jsonLd.ranges) {
    const value = parseJsonLd(values.getSource(range));
    if (value !== null && typeof value === 'object') blocks.push(value);
  }
  return blocks;
}

/** Returns the text under `name` in the JSON-LD, or null. */
function findTime(jsonLd: readonly unknown[], name: string): string | null {
  const found = findJsonLdText(jsonLd, name);
  return found === null ? null : normalizeText(found, 'text');
}
