/** The handler of a request takes up to 0.2 ms, and parsing 128 KiB of dense JSON takes 15 ms. */
const MAX_MESSAGES = 64;
const MAX_BYTES = 128 * 1024;

/** Limits how many messages are dispatched in one turn of the event loop. */
export class TurnBudget {
  readonly #onRenewed: () => void;
  #messages = 0;
  #bytes = 0;
  #isRenewing = false;

  /** `onRenewed` is called in the turn after one that spent the budget. */
  constructor(onRenewed: () => void) {
    this.#onRenewed = onRenewed;
  }

  get isSpent(): boolean {
    return this.#messages >= MAX_MESSAGES || this.#bytes >= MAX_BYTES;
  }

  spend(bytes: number): void {
    this.#messages += 1;
    this.#bytes += bytes;
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    setImmediate(() => {
      const wasSpent = this.isSpent;
      this.#isRenewing = false;
      this.#messages = 0;
      this.#bytes = 0;
      if (wasSpent) this.#onRenewed();
    });
  }
}
