import { ApiError } from '#errors';

const RETRY_AFTER_SECONDS = 2;
const SHARE = 'the share of connections to one host';

/** Returns the error of a request whose client has a full queue at a host. */
export function tooManyWaiting(maxWaiting: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This account is over ${SHARE}: ${maxWaiting} of its requests already wait for this host. Send fewer at once, and try again after Retry-After.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Returns the error of a request that is stopped because another client needs its place. */
export function placeReclaimed(): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This account is over ${SHARE}: its longest request was stopped because another account waits for this host. Send fewer at once, and try again after Retry-After.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
