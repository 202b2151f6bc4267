import type { ErrorCode } from '#errors';

/** A body to parse in the worker. Its buffer is transferred. */
export interface ParseTask {
  format: string;
  bytes: Uint8Array;
}

/** The result: the request, or the fields of an ApiError. */
export type ParseOutcome =
  | { value: unknown; /** Its buffers that were moved. */ buffers: ArrayBuffer[] }
  | {
      fault: {
        code: ErrorCode;
        message: string;
        param: string | undefined;
        retryAfterSeconds: number | undefined;
      };
    };
