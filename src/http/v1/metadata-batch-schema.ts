/** The schemas of the body, the options and the response of POST /v1/meta/batch. */
import { ApiError } from '#errors';
import { Type } from 'typebox';
import { formatName } from '../query.ts';
import {
  type MetadataOptions,
  type RequestOptions,
  metadataOptions,
  toRequestOptions,
} from './get-metadata.ts';
import { errorCode } from '../error-responses.ts';
import { ndjson, strict } from '../schema.ts';
import { MAX_URLS } from './batch-body.ts';
import { metadataMembers } from './metadata-result.ts';

interface BatchOptions extends RequestOptions {
  isOrdered: boolean;
}

interface OptionSchema {
  type?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  enum?: readonly unknown[];
}

const ORDER: OptionSchema = { type: 'boolean', default: true };
const BATCH_OPTIONS: ReadonlyMap<string, OptionSchema> = new Map(
  Object.entries({ ...(metadataOptions as Record<string, OptionSchema>), order: ORDER }),
);

/** Parses the members of a batch besides `urls`. Throws ApiError `invalid_parameter`. */
export function parseBatchOptions(members: Readonly<Record<string, unknown>>): BatchOptions {
  for (const name of Object.keys(members)) {
    if (BATCH_OPTIONS.has(name)) continue;
    const known = ['urls', ...BATCH_OPTIONS.keys()].join(', ');
    const shown = formatName(name);
    throw invalid(shown, `There is no member ${shown} here: the members are ${known}.`);
  }
  const { order, ...options } = Object.fromEntries(
    [...BATCH_OPTIONS].map(([name, schema]) => [name, parseOption(name, schema, members[name])]),
  );
  return { ...toRequestOptions(options as MetadataOptions), isOrdered: order === true };
}

/** Checks one member by the schema of its option; null means absent. */
function parseOption(name: string, schema: OptionSchema, value: unknown): unknown {
  if (value === undefined || value === null) return schema.default;
  const { type, minimum = 0, maximum = 0, maxLength = 0, enum: choices } = schema;
  if (choices !== undefined) {
    // A choice may have the values true and false.
    const text = typeof value === 'boolean' ? String(value) : value;
    if (choices.includes(text)) return text;
    throw invalid(name, `${name} must be one of ${choices.join(', ')}.`);
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw invalid(name, `${name} must be true or false.`);
  }
  if (type === 'integer') {
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return value;
    throw invalid(name, `${name} must be a whole number from ${minimum} to ${maximum}.`);
  }
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw invalid(name, `${name} must be text of at most ${maxLength} characters.`);
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}

const bodyMembers = {
  urls: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_URLS,
    description: 'The URLs to extract metadata from. Each counts as one request.',
    examples: [['https://ogp.me/', 'https://nowhere.invalid/']],
  }),
  ...metadataOptions,
  // In JSON, true and false are booleans.
  render: Type.Optional(
    Type.Unsafe<'false' | 'true' | 'auto' | boolean>({
      ...metadataOptions.render,
      type: ['string', 'boolean'],
      enum: ['false', 'true', 'auto', false, true],
    }),
  ),
  order: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether the lines are in the order of the URLs. With false, each is sent as soon as it is known; only with application/x-ndjson.',
      examples: [false],
    }),
  ),
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
