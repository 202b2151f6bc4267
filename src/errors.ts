/**
 * Every error of the API: identifier, HTTP status and default message. The OpenAPI error responses and
 * docs/guides/errors.md are generated from this table. To add an error, add a row.
 */
export const ERRORS = {
  invalid_email: {
    status: 400,
    sentence:
      'The email parameter is missing or empty: send the address to validate as ?email=…, percent-encoded.',
  },
  invalid_url: {
    status: 400,
    sentence:
      'The url parameter must be an absolute http:// or https:// URL of at most 4,096 characters, without credentials or control characters, percent-encoded.',
  },
  missing_html: {
    status: 400,
    sentence: 'The body must be a JSON object whose html member is a string that is not blank.',
  },
  invalid_page_size: {
    status: 400,
    sentence: 'page_size must be one of A4, Letter, Legal, A3, A5 (case matters).',
  },
  invalid_json: { status: 400, sentence: 'The body is not valid JSON: send one JSON object in UTF-8.' },
  invalid_parameter: { status: 400, sentence: 'A parameter has a value that is not allowed.' },
  unauthorized: {
    status: 401,
    sentence: 'The API key is missing or not valid: send it in the x-api-key header.',
  },
  forbidden_origin: {
    status: 403,
    sentence:
      'The Origin header names another site: call /mcp from a server or a desktop program, which sends none.',
  },
  not_found: {
    status: 404,
    sentence: 'There is nothing at this path: see /openapi.json for the operations.',
  },
  method_not_allowed: {
    status: 405,
    sentence: 'This path does not support this method: use one of those in the Allow header.',
  },
  timeout: { status: 408, sentence: 'The work did not finish within its time limit.' },
  payload_too_large: {
    status: 413,
    sentence:
      'The body, or a member of it, is larger than this operation takes (html: 5 MiB; a batch of emails: 4 MiB, of URLs: 3 MiB): send less.',
  },
  unsupported_media_type: {
    status: 415,
    sentence:
      'Send the body as Content-Type: application/json (a batch of emails: also text/csv and application/x-ndjson), without a Content-Encoding.',
  },
  unreachable: {
    status: 422,
    sentence: 'The target URL could not be reached: its name does not resolve, or its host does not answer.',
  },
  render_failed: {
    status: 422,
    sentence:
      'The document could not be rendered: it navigated away, closed itself, crashed its renderer or used up its memory.',
  },
  rate_limit_exceeded: {
    status: 429,
    sentence: 'Too many requests in this minute: wait for the number of seconds in Retry-After.',
  },
  internal: {
    status: 500,
    sentence:
      'The service failed to answer this request: try again, and quote the request_id if the error persists.',
  },
  overloaded: {
    status: 503,
    sentence: 'The service is at its capacity: try again after the number of seconds in Retry-After.',
  },
  unavailable: {
    status: 503,
    sentence:
      'A part of the service that this operation needs is not available: try again after Retry-After.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>;

/** The identifier in the `error` member of an error body. */
export type ErrorCode = keyof typeof ERRORS;

/** Details of an error. `cause` is written to the log and never sent. */
export interface ApiErrorOptions {
  /** The parameter or member at fault, as the client spelled it. */
  param?: string;
  /** The value of the Retry-After header, in seconds. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * An error whose `message` is sent to the client: it says what is wrong and what to do, without internal
 * details.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: ApiErrorOptions = {}) {
    super(message ?? ERRORS[code].sentence, { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
