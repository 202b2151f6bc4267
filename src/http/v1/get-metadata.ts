import {
  type GetMetadataRequest,
  MAX_URL_CHARACTERS,
  type PageDetails,
  type PageMetadata,
  parsePageUrl,
} from '#metadata';
import { ApiError } from '#errors';
import { workInTurn } from '#event-loop';
import type { ShareHolder } from '#shares';
import { type Static, Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { requireCaller } from './admit-request.ts';
import { createQueryParser } from '../query.ts';
import { nullable, okHeaders, strict } from '../schema.ts';

export type GetMetadata = (
  request: GetMetadataRequest,
  caller: ShareHolder,
  signal: AbortSignal,
) => Promise<PageMetadata>;

const query = strict({
  url: Type.String({
    maxLength: MAX_URL_CHARACTERS,
    description: 'URL to extract metadata from, percent-encoded: an unencoded & ends it.',
  }),
  follow_redirects: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether HTTP redirects are followed.' }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      default: 10_000,
      minimum: 1000,
      maximum: 30_000,
      description: 'Timeout in milliseconds, from the first DNS lookup to the last byte needed.',
    }),
  ),
  details: Type.Optional(Type.Boolean({ default: false, description: 'Whether to add the member details.' })),
});

const text = (description: string) => nullable('string', description);

const og = strict({
  title: text('og:title'),
  description: text('og:description'),
  image: text('og:image, absolute'),
  url: text('og:url, absolute'),
  type: text('og:type'),
  site_name: text('og:site_name'),
});

const twitter = strict({
  card: text('twitter:card'),
  site: text('twitter:site'),
  title: text('twitter:title'),
  description: text('twitter:description'),
  image: text('twitter:image, absolute'),
});

const detailsResult = strict({
  final_url: Type.String({ description: 'The URL after all redirects.' }),
  status: Type.Integer({ description: 'The HTTP status of the page.' }),
  content_type: text('The Content-Type of the page.'),
  redirects: Type.Array(strict({ url: Type.String(), status: Type.Integer() })),
  canonical: text('link rel=canonical, absolute'),
  theme_color: text('meta theme-color'),
  author: text('meta author or article:author'),
  published_time: text('article:published_time'),
  modified_time: text('article:modified_time'),
  icons: Type.Array(
    strict({ url: Type.String(), sizes: text('As declared, like 32x32.'), type: text('As declared.') }),
  ),
  images: Type.Array(
    strict({
      url: Type.String(),
      width: nullable('integer', 'Pixels.'),
      height: nullable('integer', 'Pixels.'),
      alt: text('Its description.'),
    }),
  ),
  video: Type.Array(
    strict({
      url: Type.String({ description: 'og:video or twitter:player, absolute' }),
      type: text('As declared.'),
      width: nullable('integer', 'Pixels.'),
      height: nullable('integer', 'Pixels.'),
    }),
  ),
  audio: Type.Array(
    strict({ url: Type.String({ description: 'og:audio, absolute' }), type: text('As declared.') }),
  ),
  feeds: Type.Array(strict({ url: Type.String(), title: text('As declared.'), type: text('As declared.') })),
  oembed: Type.Array(strict({ url: Type.String(), type: text('As declared.') })),
  json_ld: Type.Array(Type.Unsafe<unknown>({}), { description: 'The page’s JSON-LD blocks, parsed.' }),
  robots: text('meta robots'),
});

const metadataResult = Type.Object(
  {
    url: Type.String({ description: 'The URL as given.' }),
    title: text('Page title.'),
    description: text('Page description.'),
    favicon: text('Absolute URL of the favicon.'),
    og,
    twitter,
    charset: text('Character set of the page: the WHATWG name, lower case.'),
    language: text('Language of the page: a canonical BCP 47 tag.'),
    details: Type.Optional(detailsResult),
  },
  { additionalProperties: false },
);

/** With their defaults, no parameter is missing. */
type Query = Required<Static<typeof query>>;

const parseQuery = createQueryParser(query, {
  first: {
    name: 'url',
    check: (value) => {
      if (value === undefined) throw new ApiError('invalid_url', undefined, { param: 'url' });
      parsePageUrl(value);
    },
  },
  unknownHint: 'If it belongs to the url, percent-encode the url: an unencoded & ends it.',
});

/** Larger results count as memory of the account, and are serialized in a turn of their own. */
const SMALL_RESULT_CHARACTERS = 32_768;

/** Adds GET /v1/meta. */
export function routeGetMetadata(scope: FastifyInstance, getMetadata: GetMetadata): void {
  scope.get('/meta', {
    config: { operation: 'getMetadata' },
    schema: {
      operationId: 'getMetadata',
      summary: 'Read the metadata of a page',
      description:
        'Fetches a URL and returns its title, description, favicon, Open Graph and Twitter Card tags, charset and language. What a page does not declare is null.',
      tags: ['metadata'],
      querystring: query,
      response: {
        200: { description: 'The URL metadata result.', headers: okHeaders, ...metadataResult },
        ...errorResponses('invalid_url', 'invalid_parameter', 'timeout', 'unreachable', 'overloaded'),
      },
    },
    handler: async (request, reply) => {
      const { url, follow_redirects, timeout, details } = parseQuery(request.raw.url ?? '') as Query;
      const hold = scope.holds.hold('metadataRequests', request, reply);
      const page = await getMetadata(
        { url, followRedirects: follow_redirects, timeoutMs: timeout, details },
        requireCaller(request),
        hold.signal,
      );
      const characters = countCharacters(page);
      if (characters <= SMALL_RESULT_CHARACTERS) return formatMetadata(page);
      // A page of 14 KB can have 2.4 MB of metadata: relative URLs on a long base. It is held until it is
      // sent.
      hold.setBytes(characters);
      const json = await workInTurn(() => Buffer.from(JSON.stringify(formatMetadata(page))));
      hold.setBytes(json.length);
      return reply.header('content-type', 'application/json; charset=utf-8').send(json);
    },
  });
}

/** Counts the characters of a result's texts, except JSON-LD. */
function countCharacters({ og, twitter, details, ...page }: PageMetadata): number {
  const { icons = [], images = [], video = [], audio = [], feeds = [], oembed = [] } = details ?? {};
  let characters = 0;
  for (const part of [page, og, twitter, ...icons, ...images, ...video, ...audio, ...feeds, ...oembed])
    for (const value of Object.values(part)) if (typeof value === 'string') characters += value.length;
  return characters;
}

function formatMetadata(page: PageMetadata): Static<typeof metadataResult> {
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

function formatDetails({
  finalUrl,
  contentType,
  themeColor,
  publishedTime,
  modifiedTime,
  jsonLd,
  ...rest
}: PageDetails): Static<typeof detailsResult> {
  return {
    ...rest,
    final_url: finalUrl,
    content_type: contentType,
    theme_color: themeColor,
    published_time: publishedTime,
    modified_time: modifiedTime,
    json_ld: jsonLd,
  };
}
