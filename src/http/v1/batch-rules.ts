/** The rules that all batches have in common. */
import { ApiError } from '#errors';
import { prefersLines } from '../accept.ts';
import type { FastifyRequest } from 'fastify';
import type { JsonLimits } from '../wire/json/json-limits.ts';

/** The names in the messages about a batch. */
export interface BatchNames {
  /** The member with the items: `emails`. */
  member: string;
  /** The items: `addresses`. */
  items: string;
}

/**
 * Returns the limits of a body whose member `name` is a list. Up to `values` of them, a list that is too long
 * or has wrong types is parsed and gets the error that says so.
 */
export function limitList(name: string, values: number): JsonLimits {
  return {
    members: 1_000,
    byMember: { [name]: { depth: 16, values } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  };
}

/** Checks that the member `name` is a list of 1 to `max` strings. Throws `invalid_parameter` if not. */
export function parseTexts(name: string, value: unknown, max: number): string[] {
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
