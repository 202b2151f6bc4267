import { ApiError } from '#errors';
import { DeadlineExceeded } from '#concurrency';

/**
 * The reason why a fetch failed, within this module. `detail` is for the log. `publicFailure` is for the
 * client; it is set only if it reveals nothing about an address that is not public.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  /** The end of a sentence about the target: "could not be reached: …". */
  readonly publicFailure: string | undefined;
  /** The reason in the line of the request in the log. */
  readonly code: string;

  constructor(detail: string, options: { publicFailure?: string; cause?: unknown; code?: string } = {}) {
    super(detail, { cause: options.cause });
    this.publicFailure = options.publicFailure;
    this.code = options.code ?? 'REFUSED';
  }
}

const TLS_CODES =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_OSSL_|HOSTNAME_MISMATCH)/;
/** The failure of addresses that are not public, names without an address, and hosts that do not respond. */
const UNREACHABLE = 'could not be reached: its name does not resolve, or its host does not answer';
const TLS_FAILURE =
  'could not be reached: its TLS certificate is not valid for it, or no secure connection could be agreed';
const PROTOCOL_FAILURE = 'could not be reached: what its host answers is not valid HTTP/1.1';
const PROTOCOL_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** Describes a failed fetch for the client, as the end of a sentence about the target. */
export function describeFailure(error: unknown): string {
  if (error instanceof Refusal) return error.publicFailure ?? UNREACHABLE;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TLS_CODES.test(code)) return TLS_FAILURE;
  if (PROTOCOL_CODES.has(code) || code.startsWith('HPE_')) return PROTOCOL_FAILURE;
  return UNREACHABLE;
}

/**
 * Returns the error of a failed fetch for the client: `timeout`, or `unreachable` with a reason that may be
 * public.
 */
export function toFetchError(error: unknown, timeoutMs: number): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DeadlineExceeded) {
    return new ApiError(
      'timeout',
      `The target URL did not answer within ${timeoutMs} ms: try again, or with a larger timeout.`,
      {
        cause: error,
      },
    );
  }
  return new ApiError('unreachable', `The target URL ${describeFailure(error)}.`, { cause: error });
}

const RETRY_AFTER_SECONDS = 2;

/** Returns the error of a fetch for which this process has no room. */
export function egressOverloaded(): ApiError {
  return new ApiError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
