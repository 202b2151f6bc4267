/** A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Repeats tasks until it is closed. Its timers do not keep the process alive. */
export class Repeater {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  /**
   * Runs `task` after `delayMs`, and again after the milliseconds that it resolves to. A task that rejects is
   * not repeated.
   */
  repeat(delayMs: number, task: () => Promise<number>): void {
    if (this.#isClosed) return;
    const run = async (): Promise<void> => this.repeat(await task(), task);
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        const running = run().finally(() => this.#running.delete(running));
        this.#running.add(running);
      },
      Math.min(delayMs, MAX_TIMER_MS),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  /** Cancels what has not begun, and waits for the end of what has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#running);
  }
}
