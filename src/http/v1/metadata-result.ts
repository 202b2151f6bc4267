/** A metadata result: its schema and its form as JSON. */
import type { PageMetadata } from '#metadata';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import { detailsResult, formatDetails } from './metadata-details.ts';

const text = (description: string) => nullable('string', description);

const og = strict(
  {
    title: text('og:title'),
    description: text('og:description'),
    image: text('og:image, absolute'),
    url: text('og:url, absolute'),
    type: text('og:type'),
    site_name: text('og:site_name'),
  },
  { title: 'OpenGraphTags', description: 'The Open Graph tags.' },
);

const twitter = strict(
  {
    card: text('twitter:card'),
    site: text('twitter:site'),
    title: text('twitter:title'),
    description: text('twitter:description'),
    image: text('twitter:image, absolute'),
  },
  { title: 'TwitterTags', description: 'The Twitter Card tags.' },
);

export const metadataMembers = {
  url: Type.String({ description: 'The URL as given.' }),
  title: text('Page title.'),
  description: text('Page description.'),
  favicon: text('Absolute URL of the favicon.'),
  og,
  twitter,
  charset: text('Character set of the page: the WHATWG name, lower case.'),
  language: text('Language of the page: a canonical BCP 47 tag.'),
  details: Type.Optional(detailsResult),
};

export const metadataResult = strict(metadataMembers, {
  title: 'PageMetadata',
  description: 'The URL metadata result.',
});

/** Larger results count as memory of the account, and are serialized in a turn of their own. */
export const SMALL_RESULT_CHARACTERS = 32_768;

/** Counts the characters of a result's texts and of the names of its tags, except JSON-LD. */
export function countCharacters({ details, ...page }: PageMetadata): number {
  const { jsonLd: _jsonLd, ...others } = details ?? {};
  return countIn(page) + countIn(others) + countIn(Object.keys(details?.tags ?? {}));
}

function countIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const member of Object.values(value)) characters += countIn(member);
  return characters;
}

/** Returns the result as JSON has it. */
export function formatMetadata(page: PageMetadata): Static<typeof metadataResult> {
  const { siteName, ...og } = page.og;
  return {
    url: page.url,
    title: page.title,
    description: page.description,
    favicon: page.favicon,
    og: { ...og, site_name: siteName },
    twitter: page.twitter,
    charset: page.charset,
    language: page.language,
    ...(page.details && { details: formatDetails(page.details) }),
  };
}
