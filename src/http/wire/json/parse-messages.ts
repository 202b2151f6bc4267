import type { ErrorCode } from '#errors';

/** A body to parse in the worker. Its buffer is transferred. */
export interface ParseTask {
  format: string;
  bytes: Uint8Array;
}

/** The result: the request, the fields of an ApiError, or the stack of an internal error. */
export type ParseOutcome =
  | { value: unknown }
  | {
      fault: {
        code: ErrorCode;
        message: string;
        param: string | undefined;
        retryAfterSeconds: number | undefined;
      };
    }
  | { failure: string };
