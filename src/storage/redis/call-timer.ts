/** A call that was not answered by then fails: requests must not wait longer for Redis. */
export const CALL_TIMEOUT_MS = 50;
const STEP_MS = 5;

/**
 * Limits the time of calls, in steps of the event loop: a process that was busy for longer than the timeout
 * must first read the replies that have arrived meanwhile. Otherwise a burst of requests would look like an
 * outage of Redis. One timer serves all calls.
 */
export class CallTimer {
  readonly #pending = new Set<{ steps: number; reject: (error: Error) => void }>();
  #isRunning = false;

  /** Rejects if `work` takes longer; the work itself goes on. */
  limit<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = { steps: Math.ceil(timeoutMs / STEP_MS), reject };
      this.#pending.add(call);
      if (!this.#isRunning) this.#startStep();
      const settle =
        <Value>(use: (value: Value) => void) =>
        (value: Value): void => {
          this.#pending.delete(call);
          use(value);
        };
      work.then(settle(resolve), settle(reject));
    });
  }

  #startStep(): void {
    this.#isRunning = true;
    // setImmediate: between the timer and its callback the event loop reads what has arrived.
    setTimeout(() => setImmediate(() => this.#endStep()), STEP_MS);
  }

  #endStep(): void {
    for (const call of this.#pending) {
      call.steps -= 1;
      if (call.steps > 0) continue;
      this.#pending.delete(call);
      call.reject(new Error('Redis did not reply in time'));
    }
    this.#isRunning = false;
    if (this.#pending.size > 0) this.#startStep();
  }
}
