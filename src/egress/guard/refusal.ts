import { ApiError } from '#errors';
import { DeadlineExceeded } from '../concurrency/deadline.ts';

/**
 * The reason why a fetch failed, within this module. `detail` is for the log. `publicSentence` is for the
 * client; it is set only if it reveals nothing about an address that is not public.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly publicSentence: string | undefined;

  constructor(detail: string, options: { publicSentence?: string; cause?: unknown } = {}) {
    super(detail, { cause: options.cause });
    this.publicSentence = options.publicSentence;
  }
}

const TLS_CODES =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_OSSL_|HOSTNAME_MISMATCH)/;
const TLS_SENTENCE =
  'The target URL could not be reached: its TLS certificate is not valid for it, or no secure connection could be agreed.';
const PROTOCOL_SENTENCE = 'The target URL could not be reached: what its host answers is not valid HTTP/1.1.';
const PROTOCOL_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

function findPublicSentence(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.publicSentence;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TLS_CODES.test(code)) return TLS_SENTENCE;
  if (PROTOCOL_CODES.has(code) || code.startsWith('HPE_')) return PROTOCOL_SENTENCE;
  return undefined;
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
  return new ApiError('unreachable', findPublicSentence(error), { cause: error });
}

const RETRY_AFTER_SECONDS = 2;

/** Returns the error of a fetch for which this process has no room. */
export function egressOverloaded(): ApiError {
  return new ApiError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
