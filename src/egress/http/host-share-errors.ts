import { ApiError } from '#errors';

const RETRY_AFTER_SECONDS = 2;
const SHARE = 'the share of connections to one host';

/** The refusal of a request whose client has filled its waiting room at a host. */
export function tooManyWaiting(maxWaiting: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This account is over ${SHARE}: ${maxWaiting} of its requests already wait for this host. Send fewer at once, and try again after Retry-After.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The end of a request whose place another client needs. */
export function placeReclaimed(): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This account is over ${SHARE}: its longest request was stopped because another account waits for this host. Send fewer at once, and try again after Retry-After.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
