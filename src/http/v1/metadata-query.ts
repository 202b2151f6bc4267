/** The parameters of getMetadata: of the query of GET /v1/meta, and of the body of its batch. */
import {
  type GetMetadataRequest,
  MAX_LANGUAGE_CHARACTERS,
  MAX_URL_CHARACTERS,
  parseAcceptLanguage,
  parsePageUrl,
} from '#metadata';
import { ApiError } from '#errors';
import { type Static, Type } from 'typebox';
import { checkNeedsDetails, createQueryParser } from '../query.ts';
import { choice, strict } from '../schema.ts';

/** The parameters besides the URL. */
export const metadataOptions = {
  follow_redirects: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether HTTP redirects are followed.', examples: [false] }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      default: 10_000,
      minimum: 1000,
      maximum: 30_000,
      description: 'Timeout in milliseconds, from the first DNS lookup to the last byte needed.',
      examples: [5000],
    }),
  ),
  details: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to add the member details.', examples: [true] }),
  ),
  render: Type.Optional(
    choice(['false', 'true', 'auto'], {
      default: 'false',
      description:
        'Whether the page is opened in a browser, which runs its scripts, before it is read; auto does so only if scripts have yet to draw the page.',
      examples: ['auto'],
    }),
  ),
  probe: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to check that favicon and image exist, and measure them; only with details.',
      examples: [true],
    }),
  ),
  oembed: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to fetch the oEmbed response of the page; only with details.',
      examples: [true],
    }),
  ),
  language: Type.Optional(
    Type.String({
      default: '',
      maxLength: MAX_LANGUAGE_CHARACTERS,
      description:
        'The languages to request from the site, as in Accept-Language: BCP 47 tags, best first, like de-CH, de;q=0.9.',
      examples: ['de-CH, de;q=0.9'],
    }),
  ),
  user_agent: Type.Optional(
    choice(['bot', 'preview', 'browser'], {
      default: 'bot',
      description:
        'The program that the service introduces itself as to the site: its bot, its bot that makes a link preview, or a current browser.',
      examples: ['preview'],
    }),
  ),
  max_age: Type.Optional(
    Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 86_400,
      description:
        'The age in seconds up to which a cached result of the same account is accepted; 0 accepts none.',
      examples: [3600],
    }),
  ),
};

export const metadataQuery = strict({
  url: Type.String({
    maxLength: MAX_URL_CHARACTERS,
    description: 'URL to extract metadata from, percent-encoded: an unencoded & ends it.',
    examples: ['https://ogp.me/'],
  }),
  ...metadataOptions,
});

const batchOptions = strict(metadataOptions);
/** With their defaults, no option is missing. */
export type MetadataOptions = Required<Static<typeof batchOptions>>;

const parseQuery = createQueryParser(metadataQuery, {
  first: {
    name: 'url',
    check: (value) => {
      if (value === undefined)
        throw new ApiError(
          'invalid_url',
          'The url parameter is missing: send the page as ?url=…, percent-encoded.',
          { param: 'url' },
        );
      parsePageUrl(value);
    },
  },
  // Clients that encode forms write the space of a list of languages as +.
  plusAsSpace: ['language'],
  unknownHint: 'If it belongs to the url, percent-encode the url: an unencoded & ends it.',
});

/** Parses the query of a request's URL. Throws ApiError `invalid_url` and `invalid_parameter`. */
export function parseMetadataQuery(requestUrl: string): GetMetadataRequest {
  const { url, ...options } = parseQuery(requestUrl);
  return { url, ...toRequestOptions(options as MetadataOptions) };
}

/** The options of a request besides its URL. */
export type RequestOptions = Omit<GetMetadataRequest, 'url'> & Required<Pick<GetMetadataRequest, 'render'>>;

/** Converts options with valid types to those of a request. Throws ApiError `invalid_parameter`. */
export function toRequestOptions(options: MetadataOptions): RequestOptions {
  const { probe, oembed, details } = options;
  checkNeedsDetails({ probe, oembed }, details);
  return {
    followRedirects: options.follow_redirects,
    timeoutMs: options.timeout,
    details,
    probe,
    oembed,
    render: options.render,
    language: parseAcceptLanguage(options.language),
    userAgent: options.user_agent,
    maxAgeSeconds: options.max_age,
  };
}
