/** The errors that the client throws. An abort rejects with the reason of the caller's signal instead. */
import type { ErrorCode as ApiErrorCode } from './api.gen.ts';
import type { RateLimit } from './rate-limit.ts';

/** Identifiers that the client adds to the API's: there is no response, or it is not the API's. */
export type ClientErrorCode = 'connection_failed' | 'client_timeout' | 'unexpected_response';

/** The identifier of an error. The API may add some, so that any text is possible. */
export type ErrorCode = ApiErrorCode | ClientErrorCode;

/** The facts of an error besides its code and message; undefined if they are not known. */
export interface ErrorDetails {
  status?: number | undefined;
  param?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  rateLimit?: RateLimit | undefined;
  cause?: unknown;
}

/** An error of a call. `code` is for programs, `message` for people. */
export class UtilityApiError extends Error {
  override name = 'UtilityApiError';
  readonly code: ErrorCode;
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The parameter or member at fault. */
  readonly param: string | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** The seconds to wait before the next attempt, from Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.param = details.param;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.rateLimit = details.rateLimit;
  }
}

/** No response arrived, or its body broke off. `cause` is the error of the runtime. */
export class ConnectionError extends UtilityApiError {
  override name = 'ConnectionError';

  constructor(message: string, details?: ErrorDetails, code: ErrorCode = 'connection_failed') {
    super(code, message, details);
  }
}

/** The time limit of the client passed: `timeoutMs` of an attempt, or `totalTimeoutMs` of the call. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';

  constructor(message: string, details?: ErrorDetails) {
    super(message, details, 'client_timeout');
  }
}
