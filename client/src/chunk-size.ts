import { UtilityApiError } from './errors.ts';
import type { RateLimit } from './rate-limit.ts';

/** The number of texts of the next request of a batch: what the service takes and the rate limit has left. */
export class ChunkSize {
  rows: number;
  readonly #max: number;

  constructor(max: number) {
    this.rows = max;
    this.#max = max;
  }

  /** Follows the rate limit after a response. Without units, the next request waits for the next minute. */
  adapt(rateLimit: RateLimit | undefined): void {
    if (!rateLimit) return;
    const { limit, remaining } = rateLimit;
    this.rows = Math.max(1, Math.min(this.#max, limit, remaining || limit));
  }

  /**
   * Makes the next request smaller if this one of `sent` texts was refused because the plan, or what is left
   * of its minute, has fewer units. False if a smaller one would not help.
   */
  shrink(error: unknown, sent: number): boolean {
    if (!(error instanceof UtilityApiError) || !error.rateLimit) return false;
    const { status, rateLimit } = error;
    this.adapt(rateLimit);
    const isOverPlan = status === 400 && rateLimit.limit < sent;
    const isOverRest = status === 429 && rateLimit.remaining > 0 && rateLimit.remaining < sent;
    return (isOverPlan || isOverRest) && this.rows < sent;
  }
}
