/** Describes the response to a request line and headers that are too long: no request reaches its route. */
import { ApiError } from '#errors';
import { buildErrorBody } from './error-body.ts';
import { okHeaders } from './schema.ts';

/** The status of RFC 6585 §5. */
export const HEAD_TOO_LONG_STATUS = 431;

/** The message of the response. */
export const HEAD_TOO_LONG_SENTENCE =
  'The request line and headers are too long: keep them under 16 KiB together.';

/**
 * Returns the OpenAPI response. It has no rate-limit headers, because no key is read, and is JSON whatever
 * the request accepts.
 */
export function describeHeadTooLong(errorSchema: object, exampleRequestId: string): object {
  const error = new ApiError('invalid_parameter', HEAD_TOO_LONG_SENTENCE);
  return {
    description: `\`invalid_parameter\`: ${HEAD_TOO_LONG_SENTENCE}`,
    headers: { 'X-Request-Id': okHeaders['X-Request-Id'] },
    content: {
      'application/json': {
        schema: errorSchema,
        examples: { head_too_long: { value: buildErrorBody(error, exampleRequestId) } },
      },
    },
  };
}
