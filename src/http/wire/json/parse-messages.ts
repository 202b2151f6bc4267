import type { ErrorCode } from '#errors';

/** A body for the worker. Its buffer is transferred. */
export interface ParseTask {
  format: string;
  bytes: Uint8Array;
}

/** What became of it: the request, the fields of the caller's ApiError, or the stack of a failure of ours. */
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
