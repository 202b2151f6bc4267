/** Facts of responses, and the errors that responses are. */
import { UtilityApiError } from './errors.ts';
import { parseRateLimit, parseRetryAfter, type RateLimit } from './rate-limit.ts';

/** The facts of a response besides its data. */
export interface ResponseFacts {
  status: number;
  headers: Headers;
  /** Undefined if the response has no such headers. */
  rateLimit: RateLimit | undefined;
  /** The id of the request in the service's log. */
  requestId: string | undefined;
}

/** The data of a response with its facts. */
export interface ApiResponse<T> extends ResponseFacts {
  data: T;
}

/** Returns the facts of a response. */
export function describeResponse({ status, headers }: Response): ResponseFacts {
  return {
    status,
    headers,
    rateLimit: parseRateLimit(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  };
}

/** Returns the error of a response whose status is not 200, by its body. */
export function parseError(response: Response, body: string): UtilityApiError {
  const { status, rateLimit, requestId } = describeResponse(response);
  const retryAfterSeconds = parseRetryAfter(response.headers, Date.now());
  const { error, message, param } = parseObject(body) ?? {};
  if (typeof error !== 'string') return unexpectedResponse(response, { retryAfterSeconds });
  return new UtilityApiError(error, typeof message === 'string' ? message : error, {
    status,
    param: typeof param === 'string' ? param : undefined,
    requestId,
    retryAfterSeconds,
    rateLimit,
  });
}

/** Returns the error of a response that is not one of the API, such as the page of a proxy. */
export function unexpectedResponse(
  response: Response,
  details: { retryAfterSeconds?: number | undefined } = {},
): UtilityApiError {
  const { status, headers, requestId, rateLimit } = describeResponse(response);
  const type = headers.get('content-type')?.split(';', 1)[0] || 'no content type';
  const target = headers.get('location');
  const found =
    target === null
      ? `status ${status}, ${type}`
      : `status ${status}, a redirect to ${target.slice(0, 200)}, which is not followed`;
  return new UtilityApiError(
    'unexpected_response',
    `The response is not one of Utility API (${found}): check baseUrl and the proxies on the way.`,
    { status, requestId, rateLimit, ...details },
  );
}

/** Returns the error of a body with more bytes than the caller accepts. */
export function responseTooLarge(response: Response, maxBytes: number): UtilityApiError {
  const { status, requestId, rateLimit } = describeResponse(response);
  return new UtilityApiError(
    'unexpected_response',
    `The response has more than ${maxBytes} bytes (maxResponseBytes).`,
    { status, requestId, rateLimit },
  );
}

/** Parses a JSON object; undefined if the text is something else. Half an object is not valid JSON. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
