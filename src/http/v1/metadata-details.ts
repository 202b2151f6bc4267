/** The member `details` of a metadata result: its schema, and its JSON. */
import { type Static, Type } from 'typebox';
import type { FileDetails, OembedResponse, PageDetails } from '#metadata';
import { choice, nullable, nullableObject, strict } from '../schema.ts';

const text = (description: string) => nullable('string', description);

/** A member that is no longer filled, kept for callers that read it. */
const alwaysNull = (type: 'integer' | 'number') =>
  Type.Unsafe<number | null>({
    type: [type, 'null'],
    deprecated: true,
    description: 'Always null: files are no longer parsed for it.',
  });

const url = (description: string) => text(`${description}, absolute`);
const texts = (description: string) => Type.Array(Type.String(), { description });
const width = nullable('integer', 'Pixels, as declared.');
const height = nullable('integer', 'Pixels, as declared.');

const image = {
  url: Type.String({ description: 'The URL of the image, absolute.' }),
  width,
  height,
  alt: text('Its description.'),
};

const appLink = strict(
  {
    platform: choice(['ios', 'iphone', 'ipad', 'android', 'windows', 'web']),
    name: text('The name of the app.'),
    id: text('Its id in the store: a number, or the name of a package.'),
    url: text('The URL that opens the page in the app, of any scheme but those of scripts and files.'),
  },
  { title: 'AppLink' },
);

const probedImage = {
  url: Type.String({ description: 'The first candidate that is an image, else the first candidate.' }),
  exists: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Whether it is an image; null if there was no time or no share left to check.',
  }),
  type: text('The media type by its contents.'),
  width: nullable('integer', 'Pixels.'),
  height: nullable('integer', 'Pixels.'),
};

const fileMembers = {
  kind: choice(['image', 'pdf', 'feed', 'audio', 'video', 'json', 'other']),
  type: text('The media type: of an image by its contents, else by the Content-Type.'),
  width: nullable('integer', 'Pixels of an image.'),
  height: nullable('integer', 'Pixels of an image.'),
  title: text('The title of a feed.'),
  pages: alwaysNull('integer'),
  entries: nullable('integer', 'The entries of a feed, as far as it was read.'),
  duration_seconds: alwaysNull('number'),
};

const oembedMembers = {
  url: Type.String({ description: 'The URL that it was fetched from.' }),
  source: choice(['list', 'link'], {
    description: 'list: a known provider of the page’s URL; link: named by the page.',
  }),
  type: choice(['photo', 'video', 'link', 'rich']),
  title: text('As the provider has it.'),
  author_name: text('As the provider has it.'),
  author_url: text('http or https.'),
  provider_name: text('As the provider has it.'),
  provider_url: text('http or https.'),
  thumbnail_url: text('http or https.'),
  thumbnail_width: nullable('integer', 'Pixels.'),
  thumbnail_height: nullable('integer', 'Pixels.'),
  photo_url: text('The URL of a photo; null for other types.'),
  width: nullable('integer', 'Pixels.'),
  height: nullable('integer', 'Pixels.'),
  html: text('Sanitized HTML of a video or a rich response; null for other types.'),
};

const detailsMembers = {
  rendered: Type.Boolean({
    description: 'Whether the page was rendered: opened in a browser, which ran its scripts.',
  }),
  final_url: Type.String({ description: 'The URL after all redirects.' }),
  status: Type.Integer({ description: 'The HTTP status of the page.' }),
  content_type: text('The Content-Type of the page.'),
  redirects: Type.Array(
    strict(
      {
        url: Type.String({ description: 'The URL that redirected.' }),
        status: Type.Integer({ description: 'Its HTTP status; that of a page that refreshed is 200.' }),
      },
      { title: 'PageRedirect' },
    ),
    { description: 'The redirects that were followed, in order.' },
  ),
  location: url('The redirect or the refresh that was not followed, with follow_redirects=false'),
  truncated: Type.Boolean({
    description:
      'Whether the page was not read to its end: at the deadline, at 2 MiB, or after a disconnect.',
  }),
  canonical: url('link rel=canonical'),
  manifest: url('link rel=manifest'),
  amphtml: url('link rel=amphtml'),
  theme_color: text('meta theme-color'),
  author: text('The names of `authors`, joined with commas.'),
  authors: Type.Array(
    strict(
      {
        name: Type.String({ description: 'The name of the author.' }),
        url: url('Profile or website of the author'),
      },
      { title: 'PageAuthor' },
    ),
    {
      description: 'The authors that the JSON-LD or the metas name.',
    },
  ),
  publisher: text('The name of the publisher or the site.'),
  logo: url('Logo of the publisher'),
  published_time: text('ISO 8601. Null if `published_time_raw` is not a date, or has several meanings.'),
  published_time_raw: text('The time of publication as the page writes it.'),
  modified_time: text('ISO 8601. Null if `modified_time_raw` is not a date, or has several meanings.'),
  modified_time_raw: text('The time of the last change as the page writes it.'),
  section: text('The section of the article.'),
  article_tags: texts('article:tag'),
  keywords: texts('The keywords of the page.'),
  locale: text('og:locale as a BCP 47 tag'),
  locale_alternates: texts('og:locale:alternate as BCP 47 tags'),
  alternates: Type.Array(
    strict(
      {
        language: Type.String({ description: 'A BCP 47 tag, or x-default.' }),
        url: Type.String({ description: 'The URL of the page in that language.' }),
      },
      { title: 'PageAlternate' },
    ),
    { description: 'The page in other languages: link rel=alternate with hreflang.' },
  ),
  icons: Type.Array(
    strict(
      {
        url: Type.String({ description: 'link rel=icon and the like, absolute' }),
        sizes: text('As declared, like 32x32.'),
        type: text('As declared.'),
      },
      { title: 'PageIcon' },
    ),
    { description: 'The icons that the page declares.' },
  ),
  image: nullableObject(image, {
    title: 'MainPageImage',
    description: 'The first of `images`; with probe=true the first that exists.',
  }),
  images: Type.Array(strict(image, { title: 'PageImage' }), {
    description:
      'The images that describe the page, best first: og:image, twitter:image, JSON-LD, image_src.',
  }),
  video: Type.Array(
    strict(
      {
        url: Type.String({ description: 'og:video, twitter:player or JSON-LD, absolute' }),
        type: text('As declared.'),
        width,
        height,
      },
      { title: 'PageVideo' },
    ),
    { description: 'The videos of the page.' },
  ),
  audio: Type.Array(
    strict(
      { url: Type.String({ description: 'og:audio, absolute' }), type: text('As declared.') },
      { title: 'PageAudio' },
    ),
    { description: 'The audio of the page.' },
  ),
  feeds: Type.Array(
    strict(
      {
        url: Type.String({ description: 'The URL of the feed.' }),
        title: text('As declared.'),
        type: text('As declared.'),
      },
      { title: 'PageFeed' },
    ),
    { description: 'The feeds that the page links: RSS, Atom, JSON Feed.' },
  ),
  oembed: Type.Array(
    strict(
      { url: Type.String({ description: 'The URL of the response.' }), type: text('As declared.') },
      { title: 'OembedLink' },
    ),
    { description: 'The oEmbed responses that the page links.' },
  ),
  app_links: Type.Array(appLink, { description: 'The apps that can open the page, one for each platform.' }),
  tags: Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    additionalProperties: Type.Array(Type.String()),
    description:
      'The contents of each tag whose key starts with og:, twitter:, article: or the like, as the page writes them: check a URL before you use it.',
  }),
  json_ld: Type.Array(Type.Unsafe<unknown>({}), { description: 'The page’s JSON-LD blocks, parsed.' }),
  robots: text('The directives of all metas robots and of the header X-Robots-Tag, each once.'),
  blocked: text(
    'The bot wall, consent page or login wall that the site sent in place of the page, like cloudflare.',
  ),
  content_length: nullable('integer', 'The Content-Length of the response, in bytes.'),
  file: nullableObject(fileMembers, {
    title: 'PageFile',
    description:
      'The response if it is not HTML, by its Content-Type or without one by its first bytes; else null.',
  }),
  probed: nullableObject(
    {
      favicon: strict(probedImage, { title: 'ProbedFavicon', description: 'The favicon of the page.' }),
      image: nullableObject(probedImage, {
        title: 'ProbedImage',
        description: 'The image of the page; null if it declares none.',
      }),
    },
    { title: 'ProbedFiles', description: 'The checked favicon and image; null without probe=true.' },
  ),
  oembed_response: nullableObject(oembedMembers, {
    title: 'OembedResponse',
    description: 'The oEmbed response of the page; null without oembed=true, or if there is none.',
  }),
};

export const detailsResult = strict(detailsMembers, {
  title: 'PageMetadataDetails',
  description: 'Only with details=true.',
});

/** Returns the details as JSON has them. */
export function formatDetails({
  finalUrl,
  contentType,
  themeColor,
  publishedTime,
  publishedTimeRaw,
  modifiedTime,
  modifiedTimeRaw,
  articleTags,
  localeAlternates,
  appLinks,
  jsonLd,
  contentLength,
  oembedResponse: embed,
  file,
  ...rest
}: PageDetails): Static<typeof detailsResult> {
  return {
    ...rest,
    final_url: finalUrl,
    content_type: contentType,
    theme_color: themeColor,
    published_time: publishedTime,
    published_time_raw: publishedTimeRaw,
    modified_time: modifiedTime,
    modified_time_raw: modifiedTimeRaw,
    article_tags: articleTags,
    locale_alternates: localeAlternates,
    app_links: appLinks,
    json_ld: jsonLd,
    content_length: contentLength,
    file: file === null ? null : formatFile(file),
    oembed_response: embed === null ? null : formatOembed(embed),
  };
}

/** Formats a file. The members `pages` and `duration_seconds` are deprecated and always null. */
function formatFile(file: FileDetails): Static<ReturnType<typeof strict<typeof fileMembers>>> {
  return { ...file, pages: null, duration_seconds: null };
}

function formatOembed(response: OembedResponse): Static<ReturnType<typeof strict<typeof oembedMembers>>> {
  const { authorName, authorUrl, providerName, providerUrl, photoUrl, ...others } = response;
  const { thumbnailUrl, thumbnailWidth, thumbnailHeight, ...rest } = others;
  return {
    ...rest,
    author_name: authorName,
    author_url: authorUrl,
    provider_name: providerName,
    provider_url: providerUrl,
    thumbnail_url: thumbnailUrl,
    thumbnail_width: thumbnailWidth,
    thumbnail_height: thumbnailHeight,
    photo_url: photoUrl,
  };
}
