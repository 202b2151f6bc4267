/** What goes beyond the contract's fields: read from the whole page as far as it was read, at most 50 of each kind. */
import { findIconRel, readIconUrl } from '../page/favicon.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import type { ReadPage } from '../page/metadata-reader.ts';
import type { PageValues } from '../page/page-values.ts';
import { readText } from '../page/text.ts';
import { findJsonLdText, parseJsonLd } from './json-ld.ts';
import { readAudio, readImages, readVideos } from './media.ts';

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

/** The details of a page; `values` is null for what is not HTML. */
export function describeDetails(page: ReadPage, values: PageValues | null): PageDetails {
  const { head } = page;
  const jsonLd = values === null ? [] : readJsonLd(values);
  const text = (keys: readonly string[]) => values?.text(keys, true) ?? null;
  return {
    finalUrl: head.finalUrl,
    status: head.status,
    contentType: readText(head.headers.get('content-type') ?? '', 'text'),
    redirects: head.redirects.map(({ url, status }) => ({ url, status })),
    canonical: values === null ? null : readCanonical(values),
    themeColor: text(['theme-color']),
    author: text(AUTHOR),
    publishedTime: text(PUBLISHED) ?? findTime(jsonLd, 'datePublished'),
    modifiedTime: text(MODIFIED) ?? findTime(jsonLd, 'dateModified'),
    icons: values === null ? [] : readIcons(values),
    images: values === null ? [] : readImages(values, MAX_OF_EACH),
    video: values === null ? [] : readVideos(values, MAX_OF_EACH),
    audio: values === null ? [] : readAudio(values, MAX_OF_EACH),
    feeds: values === null ? [] : readFeeds(values),
    oembed: values === null ? [] : readOembed(values),
    jsonLd,
    robots: text(['robots']) ?? readText(head.headers.get('x-robots-tag') ?? '', 'text'),
  };
}

function readCanonical(values: PageValues): string | null {
  for (const link of values.tags.links) {
    const url = link.rel.includes('canonical') ? values.linkUrl(link) : null;
    if (url !== null) return url;
  }
  return null;
}

function readIcons(values: PageValues): PageDetails['icons'] {
  const icons: PageDetails['icons'] = [];
  for (const { rel, attributes } of values.tags.links) {
    if (findIconRel(rel) === null && !rel.includes('mask-icon')) continue;
    const url = readIconUrl(values.raw(attributes.get('href')!), values.base);
    if (url === null) continue;
    const sizes = values.attributeText(attributes.get('sizes'));
    icons.push({ url, sizes, type: values.attributeText(attributes.get('type')) });
    if (icons.length === MAX_OF_EACH) break;
  }
  return icons;
}

/** Links to the page in another form, with their media type. */
function* alternates(values: PageValues, types: ReadonlySet<string>) {
  let count = 0;
  for (const link of values.tags.links) {
    if (!link.rel.includes('alternate') && !link.rel.includes('alternative') && !link.rel.includes('feed'))
      continue;
    const type = (values.attributeText(link.attributes.get('type')) ?? '')
      .split(';')[0]!
      .trim()
      .toLowerCase();
    const url = types.has(type) ? values.linkUrl(link) : null;
    if (url === null) continue;
    yield { url, type, title: values.attributeText(link.attributes.get('title')) };
    if (++count === MAX_OF_EACH) return;
  }
}

function readFeeds(values: PageValues): PageDetails['feeds'] {
  return [...alternates(values, FEED_TYPES)].map(({ url, title, type }) => ({ url, title, type }));
}

function readOembed(values: PageValues): PageDetails['oembed'] {
  return [...alternates(values, OEMBED_TYPES)].map(({ url, type }) => ({ url, type }));
}

function readJsonLd(values: PageValues): unknown[] {
  const blocks: unknown[] = [];
  for (const range of values.tags.jsonLd) {
    const value = parseJsonLd(values.source(range));
    if (value !== null && typeof value === 'object') blocks.push(value);
  }
  return blocks;
}

function findTime(jsonLd: readonly unknown[], name: string): string | null {
  const found = findJsonLdText(jsonLd, name);
  return found === null ? null : readText(found, 'text');
}
