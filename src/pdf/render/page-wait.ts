/** Each page that waits is a renderer process in addition to the one of the slot. */
const MAX_WAITING = 2;

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
  #start = Promise.withResolvers<void>();
  #end = Promise.withResolvers<boolean>();

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Resolves when the document waits. */
  get whenWaiting(): Promise<void> {
    return this.#start.promise;
  }

  /** Waits. Resolves with true to print the document again. A page that replaces a lost one waits too. */
  wait(): Promise<boolean> {
    this.#isWaiting = true;
    this.#start.resolve();
    return this.#end.promise;
  }

  /** Lets the document be printed again. */
  resume(): void {
    this.#endWith(true);
    this.#end = Promise.withResolvers();
  }

  /** Lets the document leave its page, also one that does not wait yet. */
  release(): void {
    this.#endWith(false);
  }

  #endWith(isPrintedAgain: boolean): void {
    this.#isWaiting = false;
    this.#start = Promise.withResolvers();
    this.#end.resolve(isPrintedAgain);
  }
}
