/** What was found in a page → the answer: each field from its sources, best first. */
import { describeDetails } from '../details/describe-details.ts';
import { chooseFavicon, type DeclaredIcon, findIconRel, readIconUrl } from './favicon.ts';
import { parseLanguage } from './parse-language.ts';
import type { PageMetadata } from './page-metadata.ts';
import type { ReadPage } from './metadata-reader.ts';
import { PageValues } from './page-values.ts';

/** field → the meta keys it is read from, best first (`title` and `language` have an element before them). */
const SOURCES = {
  title: ['og:title', 'twitter:title'],
  description: ['description', 'og:description', 'twitter:description'],
  ogTitle: ['og:title'],
  ogDescription: ['og:description'],
  ogImage: ['og:image', 'og:image:url', 'og:image:secure_url'],
  ogUrl: ['og:url'],
  ogType: ['og:type'],
  ogSiteName: ['og:site_name'],
  twitterCard: ['twitter:card'],
  twitterSite: ['twitter:site'],
  twitterTitle: ['twitter:title'],
  twitterDescription: ['twitter:description'],
  twitterImage: ['twitter:image', 'twitter:image:src'],
} as const satisfies Record<string, readonly string[]>;

/** Describes a page for the caller who asked for `url`. */
export function describePage(page: ReadPage, options: { url: string; details: boolean }): PageMetadata {
  const finalUrl = page.head.finalUrl;
  const values = page.html === null ? null : new PageValues(page.html, finalUrl);
  const text = (keys: readonly string[]) => values?.text(keys) ?? null;
  const url = (keys: readonly string[]) => values?.url(keys) ?? null;
  const metadata: PageMetadata = {
    url: options.url,
    title: values?.title() ?? text(SOURCES.title),
    description: text(SOURCES.description),
    favicon: chooseFavicon(values === null ? [] : readIcons(values), finalUrl),
    og: {
      title: text(SOURCES.ogTitle),
      description: text(SOURCES.ogDescription),
      image: url(SOURCES.ogImage),
      url: url(SOURCES.ogUrl),
      type: text(SOURCES.ogType),
      siteName: text(SOURCES.ogSiteName),
    },
    twitter: {
      card: text(SOURCES.twitterCard),
      site: text(SOURCES.twitterSite),
      title: text(SOURCES.twitterTitle),
      description: text(SOURCES.twitterDescription),
      image: url(SOURCES.twitterImage),
    },
    charset: page.charset,
    language: values === null ? null : readLanguage(values, page.head.headers.get('content-language')),
  };
  if (options.details) metadata.details = describeDetails(page, values);
  return metadata;
}

function readLanguage(values: PageValues, header: string | undefined): string | null {
  const { language, xmlLanguage } = values.tags;
  const candidates = [
    values.attributeText(language ?? undefined),
    values.attributeText(xmlLanguage ?? undefined),
    values.text(['content-language']),
    header ?? null,
    values.text(['og:locale']),
  ];
  for (const candidate of candidates) {
    const tag = candidate === null ? null : parseLanguage(candidate);
    if (tag !== null) return tag;
  }
  return null;
}

function readIcons(values: PageValues): DeclaredIcon[] {
  const icons: DeclaredIcon[] = [];
  for (const link of values.tags.links) {
    const rel = link.late ? null : findIconRel(link.rel);
    if (rel === null) continue;
    const url = readIconUrl(values.raw(link.attributes.get('href')!), values.base);
    const media = values.attributeText(link.attributes.get('media')) ?? '';
    if (url !== null) icons.push({ url, rel, isDark: /prefers-color-scheme\s*:\s*dark/i.test(media) });
  }
  return icons;
}
