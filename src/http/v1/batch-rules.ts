/** The rules that all batches have in common. */
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';

/** The names in the messages about a batch. */
export interface BatchNames {
  /** The member with the items: `emails`. */
  member: string;
  /** The items: `addresses`. */
  items: string;
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
 * request does not accept lines.
 */
export function checkAcceptsLines({ headers }: FastifyRequest, isOrdered: boolean): boolean {
  const isLines = acceptsLines(headers.accept);
  if (isOrdered || isLines) return isLines;
  throw new ApiError('invalid_parameter', 'order=false needs the header Accept: application/x-ndjson.', {
    param: 'order',
  });
}

function acceptsLines(accept: string | undefined): boolean {
  return (
    /(^|,)\s*application\/x-ndjson\s*(;|,|$)/i.test(accept ?? '') &&
    !/x-ndjson\s*;\s*q=0(\.0*)?\s*(,|$)/i.test(accept ?? '')
  );
}
