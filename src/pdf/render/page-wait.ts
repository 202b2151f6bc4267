/** Each page that waits is a renderer process in addition to the one of the slot. */
const MAX_WAITING = 2;
/** Of the memory that a renderer may use: its scripts run on while it waits. */
const MEMORY_SHARE = 0.25;
const POLL_MS = 100;

/** Returns the memory that a page may use while it waits, in bytes. */
export function computeWaitingBytes(rendererMemoryMb: number): number {
  return rendererMemoryMb * MEMORY_SHARE * 1024 * 1024;
}

/** Counts the documents of one PDF that wait in their pages while others are printed. */
export class WaitingPages {
  #count = 0;

  /** Returns false if as many documents wait as may. */
  acquire(): boolean {
    if (this.#count >= MAX_WAITING) return false;
    this.#count += 1;
    return true;
  }

  release(): void {
    this.#count -= 1;
  }
}

/** The wait of a document in its page, until it is printed again or leaves the page. */
export class PageWait {
  #isWaiting = false;
  #isReleased = false;
  #start = Promise.withResolvers<void>();
  #end = Promise.withResolvers<boolean>();

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Resolves when the document waits. */
  get whenWaiting(): Promise<void> {
    return this.#start.promise;
  }

  /**
   * Waits. Resolves with true to print the document again. A page that replaces a lost one waits too; one
   * that becomes too large does not wait any longer.
   */
  async wait(isTooLarge: () => boolean): Promise<boolean> {
    if (this.#isReleased) return false;
    this.#isWaiting = true;
    this.#start.resolve();
    const timer = setInterval(() => {
      if (isTooLarge()) this.release();
    }, POLL_MS);
    try {
      return await this.#end.promise;
    } finally {
      clearInterval(timer);
    }
  }

  /** Lets the document be printed again. */
  resume(): void {
    this.#endWith(true);
    this.#end = Promise.withResolvers();
  }

  /** Lets the document leave its page, also one that does not wait yet. */
  release(): void {
    this.#isReleased = true;
    this.#endWith(false);
  }

  #endWith(isPrintedAgain: boolean): void {
    this.#isWaiting = false;
    this.#start = Promise.withResolvers();
    this.#end.resolve(isPrintedAgain);
  }
}
