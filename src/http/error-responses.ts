/** Error responses: the only function that writes error bodies, and their description for OpenAPI. */
import { STATUS_CODES } from 'node:http';
import { ApiError, ERRORS, type ErrorCode } from '#errors';
import { Type } from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TYPE, prefersProblem } from './accept.ts';
import { ClientDisconnected, DISCONNECTED_STATUS } from './wire/disconnection.ts';
import { EXAMPLE_REQUEST_ID, header, okHeaders, strict } from './schema.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of the response, for the log of requests. */
    failure: ApiError | null;
  }
}

/** Retry-After of a 503 whose error has none. */
const UNAVAILABLE_SECONDS = 30;

/** Formats an error body as JSON. */
export function formatErrorBody(error: ApiError, requestId: string): string {
  return JSON.stringify(buildErrorBody(error, requestId));
}

/**
 * Sends an error. Anything but an ApiError is an internal error, and sent as `internal`. The log of requests
 * finds the error at the request.
 */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = toApiError(thrown, request);
  const isDisconnected = isDisconnection(thrown, request);
  request.failure = isDisconnected ? null : error;
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.status === 503 ? UNAVAILABLE_SECONDS : undefined);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  request.server.lingering.closeAfterRefusal(request.raw, reply, thrown);
  const isProblem = prefersProblem(request.headers.accept);
  return (
    reply
      .code(isDisconnected ? DISCONNECTED_STATUS : error.status)
      .removeHeader('content-length')
      // A cache on the way must not give the problem to a client that expects JSON.
      .header('vary', 'accept')
      .header('content-type', `${isProblem ? PROBLEM_TYPE : 'application/json'}; charset=utf-8`)
      .send(isProblem ? formatProblem(error, request.id) : formatErrorBody(error, request.id))
  );
}

/** True if the error only means that the client disconnected. It is no error of the service. */
function isDisconnection(thrown: unknown, { raw }: FastifyRequest): boolean {
  if (thrown instanceof ClientDisconnected) return true;
  const { code } = (thrown ?? {}) as { code?: unknown };
  return raw.socket.destroyed && (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Maps Fastify's errors to the errors of the contract. */
function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new ApiError('unsupported_media_type', undefined, { cause: thrown });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_json', 'The request ended before its whole body was sent.', {
        cause: thrown,
      });
    case 'FST_ERR_VALIDATION':
      return new ApiError('invalid_parameter', (thrown as Error).message, { cause: thrown });
    default:
      return new ApiError('internal', undefined, { cause: thrown });
  }
}

/** Returns the error of a body over the limit of its route. */
export function bodyTooLarge(limitBytes: number): ApiError {
  const limit = `${(limitBytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;
  return new ApiError(
    'payload_too_large',
    `The body is over ${limit} (${limitBytes.toLocaleString('en')} bytes), the most that this operation takes: send less.`,
  );
}

/** The identifier of an error. The list is open: an `enum` would make generated clients refuse new ones. */
export const errorCode = Type.Unsafe<ErrorCode>({
  title: 'ErrorCode',
  type: 'string',
  description: 'The identifier, for programs. More may be added within /v1.',
  'x-extensible-enum': Object.keys(ERRORS),
});

const errorSchema = strict(
  {
    error: errorCode,
    message: Type.String({ description: 'What is wrong and what to do, in one sentence, for people.' }),
    param: Type.Optional(Type.String({ description: 'The field at fault, if there is one.' })),
    request_id: Type.String({ description: 'The id of this request, also in X-Request-Id.' }),
  },
  { title: 'Error', description: 'The body of every response that is not 2xx.' },
);

const problemSchema = extendToProblem(errorSchema);

/** An error of an operation in the OpenAPI document; the message is the table's by default. */
export interface ErrorExample {
  message?: string;
  param?: string;
  /** More examples of the identifier, by what follows it in their names. */
  others?: Readonly<Record<string, ErrorExample>>;
}

/** The errors of every operation. */
const EVERYWHERE = {
  unauthorized: {},
  rate_limit_exceeded: {},
  internal: {},
  unavailable: {},
} satisfies Partial<Record<ErrorCode, ErrorExample>>;

/** Returns the OpenAPI responses for these errors and the ones that every operation has, by status. */
export function errorResponses(errors: Partial<Record<ErrorCode, ErrorExample>>): Record<number, object> {
  const examples = { ...EVERYWHERE, ...errors };
  const codes = Object.keys(examples) as (keyof typeof examples)[];
  const responses: Record<number, object> = {};
  const formatExamples = (group: readonly (keyof typeof examples)[], format: (error: ApiError) => unknown) =>
    Object.fromEntries(
      group.flatMap((code) => {
        const { others = {}, ...first }: ErrorExample = examples[code] ?? {};
        const named = Object.entries(others).map(([name, example]) => [`${code}_${name}`, example] as const);
        return [[code, first] as const, ...named].map(([name, { message, ...options }]) => [
          name,
          { value: format(new ApiError(code, message, options)) },
        ]);
      }),
    );
  for (const [status, group] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code].sentence}`).join('\n\n'),
      headers: { ...okHeaders, ...headersOf(status) },
      content: {
        'application/json': {
          schema: errorSchema,
          examples: formatExamples(group, (error) => buildErrorBody(error, EXAMPLE_REQUEST_ID)),
        },
        [PROBLEM_TYPE]: {
          schema: problemSchema,
          examples: formatExamples(group, (error) => JSON.parse(formatProblem(error, EXAMPLE_REQUEST_ID))),
        },
      },
    };
  }
  responses[HEAD_TOO_LONG_STATUS] = describeHeadTooLong(errorSchema, EXAMPLE_REQUEST_ID);
  return responses;
}

/** Returns the headers that only responses with this status have. */
function headersOf(status: number): object {
  if (status === 405) return { Allow: header('string', 'The methods of this path.', 'GET, HEAD') };
  if (status !== 429 && status !== 503) return {};
  return {
    'Retry-After': { ...header('integer', 'Seconds to wait before trying again.', 12), minimum: 1 },
  };
}

/** The members of an error body. */
interface ErrorBody {
  error: string;
  message: string;
  param?: string;
  request_id: string;
}

/** Returns the members of an error body: `param` only if one field is at fault. */
function buildErrorBody({ code, message, param }: ApiError, requestId: string): ErrorBody {
  return { error: code, message, ...(param === undefined ? {} : { param }), request_id: requestId };
}

/** Formats an error as a problem that keeps the members of the usual error body. */
function formatProblem(error: ApiError, requestId: string): string {
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

function text(description: string): object {
  return { type: 'string', description };
}

/** Returns the schema of a problem: the members of the error body `schema`, and its own. */
function extendToProblem(schema: { required: readonly string[]; properties: object }): object {
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

/** Describes the response to a request line and headers that are too long: no request reaches its route. */
/** The status of RFC 6585 §5. */
export const HEAD_TOO_LONG_STATUS = 431;

/** The message of the response. */
export const HEAD_TOO_LONG_SENTENCE =
  'The request line and headers are too long: keep them under 16 KiB together.';

/**
 * Returns the OpenAPI response. It has no rate-limit headers, because no key is read, and is JSON whatever
 * the request accepts.
 */
function describeHeadTooLong(errorSchema: object, exampleRequestId: string): object {
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
