/** The errors for a target that responds too late or disconnects. */
import { ApiError } from '#errors';

/** Returns the 408 for a page whose head did not arrive within the caller's budget. */
export function targetTimeout(timeoutMs: number): ApiError {
  return new ApiError(
    'timeout',
    `The target URL did not answer within ${timeoutMs} ms: try again, or with a larger timeout.`,
  );
}

/** Returns the 422 for a target that disconnected before its head and its title were complete. */
export function targetDisconnected(): ApiError {
  return new ApiError(
    'unreachable',
    'The target URL disconnected before the head of its page was complete: try again.',
  );
}
