/** The schemas of the body and the response of POST /v1/meta/batch. */
import { Type } from 'typebox';
import { errorCode } from '../error-responses.ts';
import { ndjson, strict } from '../schema.ts';
import { MAX_URLS, METADATA_BATCH_OPTIONS } from './batch-body.ts';
import { metadataMembers } from './metadata-result.ts';
import { describeMembers } from './operation-options.ts';

const bodyMembers = {
  urls: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_URLS,
    description: 'The URLs to extract metadata from. Each counts as one request.',
    examples: [['https://ogp.me/', 'https://nowhere.invalid/']],
  }),
  ...describeMembers(METADATA_BATCH_OPTIONS),
};

export const metadataBatchRequest = strict(bodyMembers, { title: 'MetadataBatchRequest' });

const batchError = strict(
  {
    status: Type.Integer({ description: 'The HTTP status that a single request would have.' }),
    error: errorCode,
    message: Type.String({ description: 'What is wrong and what to do, in one sentence, for people.' }),
    param: Type.Optional(Type.String({ description: 'The field at fault, if there is one.' })),
  },
  { title: 'MetadataBatchError', description: 'The error of a URL; without it, the URL has a result.' },
);

const { url: _url, ...resultMembers } = metadataMembers;

// One object and no union: no member tells generators which of two types an item is.
const batchItem = strict(
  {
    index: Type.Integer({ description: 'The place of the URL in urls, from 0.' }),
    url: Type.String({ description: 'The URL as given.' }),
    error: Type.Optional(batchError),
    age: Type.Optional(
      Type.Integer({ description: 'Seconds since the page was fetched, if the result is a cached one.' }),
    ),
    ...Object.fromEntries(
      Object.entries(resultMembers).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  },
  {
    title: 'MetadataBatchItem',
    description:
      'A URL with its error, or without error with its result: then it has all members of PageMetadata.',
  },
);

export const metadataBatchResult = strict(
  { results: Type.Array(batchItem, { description: 'The items, in the order of the URLs.' }) },
  { title: 'MetadataBatchResult' },
);

export const metadataBatchLines = ndjson(
  batchItem,
  'One result or error per line, with index, in the order of the URLs; with order=false as they complete.',
);
