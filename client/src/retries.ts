/**
 * Decides if and when a failed attempt is repeated, by the table of README.md. All operations only read: a
 * repetition costs units of the rate limit and changes nothing.
 */
import { ConnectionError, TimeoutError, UtilityApiError } from './errors.ts';
import type { CallSettings } from './options.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A longer Retry-After is left to the caller. That of a monthly quota is days. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Spreads the clients that wait for the same instant, such as the next minute. */
const SPREAD_MS = 500;

/** The service or a proxy refused the request before any work. */
const REFUSED: ReadonlySet<number | undefined> = new Set([429, 502, 503]);

/** The attempts of one call. */
export class Retries {
  /** The time by performance.now() at which the whole call must end. */
  readonly deadline: number;
  readonly #settings: CallSettings;
  readonly #isCostly: boolean;
  #failures = 0;

  /** `isCostly` is set for renders: work that failed or took too long is then not repeated. */
  constructor(settings: CallSettings, isCostly: boolean) {
    this.deadline = performance.now() + settings.totalTimeoutMs;
    this.#settings = settings;
    this.#isCostly = isCostly;
  }

  /** Forgets earlier failures: the call has made progress. */
  reset(): void {
    this.#failures = 0;
  }

  /** Waits until the attempt may be repeated. Throws its error if it may not. */
  async wait(error: unknown): Promise<void> {
    const { maxRetries, onRetry, signal } = this.#settings;
    if (!(error instanceof UtilityApiError) || this.#failures >= maxRetries || !this.#isRepeatable(error))
      throw error;
    const delayMs = computeDelay(error.retryAfterSeconds, this.#failures);
    if (performance.now() + delayMs >= this.deadline) throw error;
    this.#failures += 1;
    onRetry?.({ attempt: this.#failures, delayMs, error });
    await sleep(delayMs, signal);
  }

  #isRepeatable(error: UtilityApiError): boolean {
    if ((error.retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS) return false;
    if (error instanceof TimeoutError) return !this.#isCostly;
    if (error instanceof ConnectionError || REFUSED.has(error.status)) return true;
    // The work may have failed because of its input.
    return (error.status ?? 0) >= 500 && !this.#isCostly;
  }
}

function computeDelay(retryAfterSeconds: number | undefined, failures: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + Math.random() * SPREAD_MS;
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`. Rejects with the reason of the signal if it is aborted meanwhile. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
