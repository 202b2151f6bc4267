import type { ApiError } from '#errors';

/** The members of an error body. */
export interface ErrorBody {
  error: string;
  message: string;
  param?: string;
  request_id: string;
}

/** Returns the members of an error body: `param` only if one field is at fault. */
export function buildErrorBody({ code, message, param }: ApiError, requestId: string): ErrorBody {
  return { error: code, message, ...(param === undefined ? {} : { param }), request_id: requestId };
}
