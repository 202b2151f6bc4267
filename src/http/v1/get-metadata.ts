/** GET /v1/meta, and the parameters that its query and the body of its batch share. */
import {
  type GetMetadataRequest,
  MAX_LANGUAGE_CHARACTERS,
  MAX_URL_CHARACTERS,
  type MetadataResult,
  parseAcceptLanguage,
  parsePageUrl,
} from '#metadata';
import { ApiError } from '#errors';
import { type Static, Type } from 'typebox';
import { workInTurn } from '#concurrency';
import type { ShareHolder } from '#limits';
import type { FastifyInstance } from 'fastify';
import { checkNeedsDetails, createQueryParser } from '../query.ts';
import { choice, header, okHeaders, strict } from '../schema.ts';
import { errorResponses } from '../error-responses.ts';
import { GET_METADATA_ERRORS } from './examples/errors.ts';
import { METADATA_RESULTS } from './examples/metadata.ts';
import { requireCaller } from './admit-request.ts';
import { WorkRecord } from './describe-request.ts';
import {
  SMALL_RESULT_CHARACTERS,
  countCharacters,
  formatMetadata,
  metadataResult,
} from './metadata-result.ts';

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

const metadataQuery = strict({
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
function parseMetadataQuery(requestUrl: string): GetMetadataRequest {
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

export type GetMetadata = (
  request: GetMetadataRequest,
  caller: ShareHolder,
  signal: AbortSignal,
  options?: {
    /** The longest wait for a place of a share; each kind has its own by default. */
    maxWaitMs?: number;
    startPhase?: WorkRecord['startPhase'];
  },
) => Promise<MetadataResult>;

const metadataHeaders = {
  ...okHeaders,
  Age: header(
    'integer',
    'Seconds since the page was fetched, if the result is a cached one (see max_age).',
    412,
  ),
};

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
      querystring: metadataQuery,
      response: {
        200: { headers: metadataHeaders, ...metadataResult, 'x-examples': METADATA_RESULTS },
        ...errorResponses(GET_METADATA_ERRORS),
      },
    },
    handler: async (request, reply) => {
      const metadataRequest = parseMetadataQuery(request.raw.url ?? '');
      const hold = scope.holds.hold('metadataRequests', request, reply);
      const work = new WorkRecord();
      request.work = work;
      work.timeoutMs = metadataRequest.timeoutMs;
      const { startPhase } = work;
      const page = await getMetadata(metadataRequest, requireCaller(request), hold.signal, { startPhase });
      if (page.ageSeconds !== undefined) reply.header('age', page.ageSeconds);
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
