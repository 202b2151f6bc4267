import {
  type GetMetadataRequest,
  MAX_URL_CHARACTERS,
  METADATA_OPTIONS,
  type MetadataResult,
  parsePageUrl,
} from '#metadata';
import { ApiError } from '#errors';
import { Type } from 'typebox';
import { workInTurn } from '#concurrency';
import type { ShareHolder } from '#limits';
import type { FastifyInstance } from 'fastify';
import { createQueryParser } from '../query.ts';
import { header, okHeaders } from '../schema.ts';
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
import { createOptionMaker, createQuerySchema } from './operation-options.ts';

const metadataQuery = createQuerySchema(
  {
    url: Type.String({
      maxLength: MAX_URL_CHARACTERS,
      description: 'URL to extract metadata from, percent-encoded: an unencoded & ends it.',
      examples: ['https://ogp.me/'],
    }),
  },
  METADATA_OPTIONS,
);
const makeOptions = createOptionMaker(METADATA_OPTIONS);

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
  const { url, ...values } = parseQuery(requestUrl) as Record<string, unknown>;
  return { url: url as string, ...makeOptions(values) };
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
      const caller = requireCaller(request);
      const page = await getMetadata(metadataRequest, caller, hold.signal, { startPhase });
      if (page.ageSeconds !== undefined) reply.header('age', page.ageSeconds);
      const characters = countCharacters(page);
      if (characters <= SMALL_RESULT_CHARACTERS) return formatMetadata(page);
      // A page of 14 KB can have 2.4 MB of metadata: relative URLs on a long base. It is held until it is
      // sent.
      hold.setBytes(characters);
      const format = () => Buffer.from(JSON.stringify(formatMetadata(page)));
      const json = await workInTurn(format, caller.accountId);
      hold.setBytes(json.length);
      return reply.header('content-type', 'application/json; charset=utf-8').send(json);
    },
  });
}
