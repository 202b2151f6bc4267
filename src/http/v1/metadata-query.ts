/** The query parameters of GET /v1/meta. */
import { type GetMetadataRequest, MAX_URL_CHARACTERS, parsePageUrl } from '#metadata';
import { ApiError } from '#errors';
import { type Static, Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { strict } from '../schema.ts';

export const metadataQuery = strict({
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

/** With their defaults, no parameter is missing. */
type Query = Required<Static<typeof metadataQuery>>;

const parseQuery = createQueryParser(metadataQuery, {
  first: {
    name: 'url',
    check: (value) => {
      if (value === undefined) throw new ApiError('invalid_url', undefined, { param: 'url' });
      parsePageUrl(value);
    },
  },
  unknownHint: 'If it belongs to the url, percent-encode the url: an unencoded & ends it.',
});

/** Parses the query of a request's URL. Throws ApiError `invalid_url` and `invalid_parameter`. */
export function parseMetadataQuery(requestUrl: string): GetMetadataRequest {
  const { url, follow_redirects, timeout, details } = parseQuery(requestUrl) as Query;
  return { url, followRedirects: follow_redirects, timeoutMs: timeout, details };
}
