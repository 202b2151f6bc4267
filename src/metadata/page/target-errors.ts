/** What a caller is told of a target that answered too late or not to the end. */
import { ApiError } from '#errors';

/** 408: neither the page's head nor its title came within the caller's time. */
export function targetTimeout(timeoutMs: number): ApiError {
  return new ApiError(
    'timeout',
    `The target URL did not answer within ${timeoutMs} ms: try again, or with a larger timeout.`,
  );
}

/** 422: the connection broke before anything could be read. */
export function targetCutOff(): ApiError {
  return new ApiError(
    'unreachable',
    'The target URL could not be read: its answer broke off before the page began.',
  );
}
