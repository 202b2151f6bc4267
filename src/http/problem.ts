/** Error bodies as problem details (RFC 9457), for clients that prefer them. */
import type { ApiError } from '#errors';
import { STATUS_CODES } from 'node:http';
import { buildErrorBody } from './error-body.ts';

/** Formats an error as a problem that keeps the members of the usual error body. */
export function formatProblem(error: ApiError, requestId: string): string {
  return JSON.stringify({
    type: formatProblemType(error.code),
    title: STATUS_CODES[error.status],
    status: error.status,
    detail: error.message,
    instance: `/requests#${requestId}`,
    ...buildErrorBody(error, requestId),
  });
}

/** Returns the identifier of a kind of problem: the place in the reference that describes it. */
function formatProblemType(code: string): string {
  return `/reference/errors#${code}`;
}

const text = (description: string) => ({ type: 'string', description });

/** Returns the schema of a problem: the members of the error body `schema`, and its own. */
export function extendToProblem(schema: { required: readonly string[]; properties: object }): object {
  return {
    ...schema,
    title: 'Problem',
    description: 'An error as problem details (RFC 9457), with the members of Error.',
    required: ['type', 'title', 'status', 'detail', 'instance', ...schema.required],
    properties: {
      type: text('The kind of problem, relative to the server. It ends with the identifier.'),
      title: text('The name of the HTTP status.'),
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: text('The same as message.'),
      instance: text('This occurrence, relative to the server. It ends with the id of the request.'),
      ...schema.properties,
    },
  };
}
