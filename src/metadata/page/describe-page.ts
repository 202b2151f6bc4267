/** Describes a page from what was found in it. */
import { describeDetails } from '../details/describe-details.ts';
import { chooseFavicon, listDeclaredIcons } from './favicon.ts';
import type { ScannedPage } from './scanned-page.ts';
import type { PageMetadata } from './page-metadata.ts';
import { PageValues } from './page-values.ts';
import { parseLanguage } from './parse-language.ts';

/** The meta keys of each field, best first. A `<title>` precedes the meta keys of `title`. */
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

/** Returns the metadata of a page; `url` is the caller's URL as given. */
export function describePage(page: ScannedPage, options: { url: string; details: boolean }): PageMetadata {
  const finalUrl = page.head.finalUrl;
  const values = page.html === null ? null : new PageValues(page.html, finalUrl);
  const findText = (keys: readonly string[]) => values?.findText(keys) ?? null;
  const findUrl = (keys: readonly string[]) => values?.findUrl(keys) ?? null;
  const metadata: PageMetadata = {
    url: options.url,
    title: values?.findTitle() ?? findText(SOURCES.title),
    description: findText(SOURCES.description),
    favicon: chooseFavicon(listDeclaredIcons(values, page.head), finalUrl),
    og: {
      title: findText(SOURCES.ogTitle),
      description: findText(SOURCES.ogDescription),
      image: findUrl(SOURCES.ogImage),
      url: findUrl(SOURCES.ogUrl),
      type: findText(SOURCES.ogType),
      siteName: findText(SOURCES.ogSiteName),
    },
    twitter: {
      card: findText(SOURCES.twitterCard),
      site: findText(SOURCES.twitterSite),
      title: findText(SOURCES.twitterTitle),
      description: findText(SOURCES.twitterDescription),
      image: findUrl(SOURCES.twitterImage),
    },
    charset: page.charset,
    language: values === null ? null : findLanguage(values, page.head.headers.get('content-language')),
  };
  if (options.details) metadata.details = describeDetails(page, values);
  return metadata;
}

function findLanguage(values: PageValues, header: string | undefined): string | null {
  const { language, xmlLanguage } = values.tags;
  const candidates = [
    values.getText(language ?? undefined),
    values.getText(xmlLanguage ?? undefined),
    values.findText(['content-language']),
    header ?? null,
    values.findText(['og:locale']),
  ];
  for (const candidate of candidates) {
    const tag = candidate === null ? null : parseLanguage(candidate);
    if (tag !== null) return tag;
  }
  return null;
}
