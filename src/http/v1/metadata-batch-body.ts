import type { BodyFormat } from '../wire/json/body-format.ts';
import { limitList, parseTexts } from './batch-rules.ts';

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
  limits: limitList('urls', 1_000),
  parse: parseBatch,
  measure: ({ urls }) => urls.reduce((bytes, url) => bytes + url.length, 0),
};

function parseBatch({ urls, ...options }: Record<string, unknown>): MetadataBatchBody {
  return { urls: parseTexts('urls', urls, MAX_URLS), options };
}
