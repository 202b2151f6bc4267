import type { Page } from './page.ts';

const POLL_MS = 250;
/** A document that has not grown at this many looks is not laying out pages. */
const MAX_LOOKS = 12;
/** An element with the name of the function would hide it in `document`. */
const COUNT_ELEMENTS = "Document.prototype.getElementsByTagName.call(document, '*').length";

/**
 * Watches whether the pages of a document are being laid out: Chromium prints it, or its scripts add elements
 * to it, as libraries that paginate do.
 */
export class LayoutWatch {
  readonly #page: Page;
  readonly #timer: NodeJS.Timeout;
  /** At the last look; Infinity before the first one, which shows no growth. */
  #elements = Number.POSITIVE_INFINITY;
  #looksSinceGrowth = MAX_LOOKS;
  #isAsking = false;

  constructor(page: Page) {
    this.#page = page;
    this.#timer = setInterval(() => void this.#count(), POLL_MS);
  }

  /** Checks whether pages are being laid out now. */
  isInProgress(): boolean {
    return this.#page.isPrinting || this.#looksSinceGrowth < MAX_LOOKS;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #count(): Promise<void> {
    this.#looksSinceGrowth += 1;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const count = Number(await this.#page.evaluate(COUNT_ELEMENTS).catch(() => this.#elements));
    this.#isAsking = false;
    if (count > this.#elements) this.#looksSinceGrowth = 0;
    this.#elements = count;
  }
}
