/** Failures in a row after which no more calls are made. */
const MAX_FAILURES = 3;

export interface CircuitBreakerEvents {
  onOpen: (reason: string) => void;
  onClose: () => void;
  /** A probe succeeded after calls had failed, also if the breaker was not open. */
  onRecovery: () => void;
}

/**
 * Remembers that a server does not reply, so that requests do not wait for it. Opens after a few failures in
 * a row, or at once when the connection is lost; closes with the first success of a probe.
 */
export class CircuitBreaker {
  readonly #events: CircuitBreakerEvents;
  #failures = 0;
  #hasFailed = false;
  #reason: string | null = null;

  constructor(events: CircuitBreakerEvents) {
    this.#events = events;
  }

  /** The reason why no calls are made; null while they are. */
  get reason(): string | null {
    return this.#reason;
  }

  recordFailure(reason: string): void {
    this.#hasFailed = true;
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) this.open(reason);
  }

  /** Records a reply to a call. An open breaker closes only by a probe. */
  recordSuccess(): void {
    this.#failures = 0;
  }

  open(reason: string): void {
    this.#hasFailed = true;
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#events.onOpen(reason);
  }

  close(): void {
    this.#failures = 0;
    if (this.#reason !== null) {
      this.#reason = null;
      this.#events.onClose();
    }
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#events.onRecovery();
  }
}
