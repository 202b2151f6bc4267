/** The bodies of the batches, and the rules that they have in common. */
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { EMAIL_OPTIONS, type ValidateEmailRequest } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionRow, OptionValues } from '#options';
import { prefersLines } from '../accept.ts';
import type { JsonLimits } from '../wire/json/body-limits.ts';
import type { BodyFormat } from '../wire/json/body-format.ts';
import { createOptionMaker, parseMembers } from './operation-options.ts';

/** The names in the messages about a batch. */
interface BatchNames {
  /** The member with the items: `emails`. */
  member: string;
  /** The items: `addresses`. */
  items: string;
}

/**
 * Returns the limits of a body whose member `name` is a list. Up to `values` of them, a list that is too long
 * or has wrong types is parsed and gets the error that says so.
 */
function limitList(name: string, values: number): JsonLimits {
  return {
    members: 1_000,
    byMember: { [name]: { depth: 16, values } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  };
}

/** Checks that the member `name` is a list of 1 to `max` strings. Throws `invalid_parameter` if not. */
function parseTexts(name: string, value: unknown, max: number): string[] {
  const isValid =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= max &&
    value.every((text) => typeof text === 'string');
  if (isValid) return value;
  throw new ApiError('invalid_parameter', `${name} must be an array of 1 to ${max} strings.`, {
    param: name,
  });
}

/** Throws `invalid_parameter` if a batch has more items than its caller may send requests in a minute. */
export function checkBatchSize(
  { member, items }: BatchNames,
  count: number,
  { caller }: FastifyRequest,
): void {
  const limit = caller?.limitPerMinute ?? 0;
  if (count <= limit) return;
  throw new ApiError(
    'invalid_parameter',
    `${member} has ${count} ${items}, more than the ${limit} requests a minute of your plan: send fewer at a time.`,
    { param: member },
  );
}

/**
 * Returns whether the results are sent as lines. Throws `invalid_parameter` if they are in no order and the
 * request does not prefer lines.
 */
export function checkAcceptsLines({ headers }: FastifyRequest, isOrdered: boolean): boolean {
  const isLines = prefersLines(headers.accept);
  if (isOrdered || isLines) return isLines;
  throw new ApiError(
    'invalid_parameter',
    'order=false needs the header Accept: application/x-ndjson, with no other type before it.',
    { param: 'order' },
  );
}

/** The order of the lines is an option of a batch alone. */
const createOrder = (items: string, item: string): OptionRow => ({
  type: 'boolean',
  default: true,
  description: `Whether the lines are in the order of the ${items}. With false, each is sent as soon as it is known${item}; only with application/x-ndjson.`,
  example: false,
  isInTools: false,
});

export const MAX_EMAILS = 1000;

export const EMAIL_BATCH_OPTIONS = {
  ...EMAIL_OPTIONS,
  order: createOrder('addresses', ' and starts with index, the place of its address from 0'),
} as const;
const makeEmailOptions = createOptionMaker(EMAIL_OPTIONS);

export interface EmailBatch {
  requests: ValidateEmailRequest[];
  /** False if each report is sent as soon as it is done, with the index of its request. */
  isOrdered: boolean;
}

/** The body of POST /v1/email/validate/batch. */
export const BATCH_BODY: BodyFormat<EmailBatch> = {
  name: 'validateEmailBatch',
  // 1,000 addresses of the longest valid form, escaped, need less.
  maxBytes: 4 * 1024 * 1024,
  limits: limitList('emails', 10_000),
  parse: parseBatch,
  measure: ({ requests }) => requests.reduce((bytes, { email }) => bytes + email.length, 0),
};

function parseBatch({ emails, ...members }: Record<string, unknown>): EmailBatch {
  const addresses = parseTexts('emails', emails, MAX_EMAILS);
  const { order, ...values } = parseMembers(EMAIL_BATCH_OPTIONS, members, 'emails');
  const options = makeEmailOptions(values);
  return {
    requests: addresses.map((email) => ({ email, ...options })),
    isOrdered: order === true,
  };
}

export const MAX_URLS = 100;

export const METADATA_BATCH_OPTIONS = { ...METADATA_OPTIONS, order: createOrder('URLs', '') } as const;
const makeMetadataOptions = createOptionMaker(METADATA_OPTIONS);

interface MetadataBatchBody {
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
  parse: parseUrlBatch,
  measure: ({ urls }) => urls.reduce((bytes, url) => bytes + url.length, 0),
};

function parseUrlBatch({ urls, ...options }: Record<string, unknown>): MetadataBatchBody {
  return { urls: parseTexts('urls', urls, MAX_URLS), options };
}

/** Parses the members besides `urls`. Throws `invalid_parameter`. */
export function parseMetadataBatchOptions(
  members: Readonly<Record<string, unknown>>,
): OptionValues<typeof METADATA_OPTIONS> & { isOrdered: boolean } {
  const { order, ...values } = parseMembers(METADATA_BATCH_OPTIONS, members, 'urls');
  return { ...makeMetadataOptions(values), isOrdered: order === true };
}
