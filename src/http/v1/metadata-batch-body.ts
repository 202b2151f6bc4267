import { ApiError } from '#errors';
import type { BodyFormat } from '../wire/json/body-format.ts';

export const MAX_URLS = 100;

export interface MetadataBatchBody {
  urls: string[];
  /** The other members, not checked yet: large bodies are parsed in a worker that knows no options. */
  options: Record<string, unknown>;
}

/** The body of POST /v1/meta/batch. */
export const METADATA_BATCH_BODY: BodyFormat<MetadataBatchBody> = {
  name: 'getMetadataBatch',
  // 100 URLs of the longest valid form, escaped, need less.
  maxBytes: 3 * 1024 * 1024,
  limits: {
    members: 1_000,
    // Up to these counts, a list that is too long or has wrong types is parsed and gets the error that says
    // so.
    byMember: { urls: { depth: 16, values: 1_000 } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  },
  parse: parseBatch,
  measure: ({ urls }) => urls.reduce((bytes, url) => bytes + url.length, 0),
};

function parseBatch({ urls, ...options }: Record<string, unknown>): MetadataBatchBody {
  if (
    !Array.isArray(urls) ||
    urls.length === 0 ||
    urls.length > MAX_URLS ||
    !urls.every((url) => typeof url === 'string')
  )
    throw new ApiError('invalid_parameter', `urls must be an array of 1 to ${MAX_URLS} strings.`, {
      param: 'urls',
    });
  return { urls, options };
}
