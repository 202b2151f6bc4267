/** Failures in a row after which no more calls are made. */
const MAX_FAILURES = 3;

export interface CircuitBreakerEvents {
  onOpen: (reason: string) => void;
  onClose: () => void;
}

/**
 * Remembers that a server does not reply, so that requests do not wait for it. Opens after a few failures in
 * a row, or at once when the connection is lost; closes with the first success of a probe.
 */
export class CircuitBreaker {
  readonly #events: CircuitBreakerEvents;
  #failures = 0;
  #reason: string | null = null;

  constructor(events: CircuitBreakerEvents) {
    this.#events = events;
  }

  /** The reason why no calls are made; null while they are. */
  get reason(): string | null {
    return this.#reason;
  }

  recordFailure(reason: string): void {
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) this.open(reason);
  }

  /** Records a reply to a call. An open breaker closes only by a probe. */
  recordSuccess(): void {
    this.#failures = 0;
  }

  open(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#events.onOpen(reason);
  }

  close(): void {
    this.#failures = 0;
    if (this.#reason === null) return;
    this.#reason = null;
    this.#events.onClose();
  }
}
