import { ApiError } from '#errors';
import { renderPage, type BrowserKeeper } from '#browser';
import type { HeldPage, Numbering } from '../contents/numbering.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { DocumentPlace } from './document-places.ts';
import { loadTexts, type LoadedTexts } from './load-texts.ts';
import { computeWaitingBytes, PageWait, type WaitingPages } from './page-wait.ts';
import { createNumbering, createPrintWork, type CheckedPdf } from './print-work.ts';
import { RenderFetchers } from './inline-document.ts';
import type { PartOptions } from './render-options.ts';
import { toApiError } from './to-api-error.ts';

/** The options of all documents of a PDF. */
export type DocumentPrintOptions = PartOptions & {
  keeper: BrowserKeeper;
  whole: PdfRequest;
  waitingPages: WaitingPages;
};

/**
 * One document of a PDF, over all of its prints. In the fresh lane it waits in its page for the documents
 * that its numbers depend on, so that its scripts run once. A static one is loaded again.
 */
export class DocumentPrint {
  /** The size of its last print. */
  bytes = 0;
  /** The last print. Null before the first one, and while the document waits in its page. */
  printed: CheckedPdf | null = null;
  /** Null before it is loaded. */
  numbering: Numbering | null = null;
  /** The texts of a document that may have to be loaded again. */
  #loaded: LoadedTexts | null = null;
  #rendering: Promise<void> | null = null;
  /** It has a place among those that wait in their pages. */
  #mayWait = false;
  /** It will not be printed again. */
  #isSettled = false;
  readonly #wait = new PageWait();
  readonly #request: PdfRequest;
  readonly #place: DocumentPlace;
  readonly #options: DocumentPrintOptions;

  constructor(request: PdfRequest, place: DocumentPlace, options: DocumentPrintOptions) {
    this.#request = request;
    this.#place = place;
    this.#options = options;
  }

  /** True if the document has to be printed. */
  get isStale(): boolean {
    if (this.#isSettled) return false;
    if (this.printed === null && !this.#wait.isWaiting) return true;
    return this.numbering !== null && !this.numbering.isFinal && !this.numbering.isCurrent();
  }

  /** Prints the document until it waits for others, or is done. Throws ApiError and the signal's reason. */
  async print(): Promise<void> {
    if (this.#wait.isWaiting) this.#wait.resume();
    else {
      // A page that became too large leaves while another document is printed, and has a PDF after that.
      await this.#rendering?.catch(() => {});
      if (!this.isStale) return;
      this.#rendering = this.#render();
      // It may fail while another document is printed.
      this.#rendering.catch(() => {});
    }
    await Promise.race([this.#wait.whenWaiting, this.#rendering]);
  }

  /** True if the document was printed, will not be printed again, and `settle` was not called. */
  get isDone(): boolean {
    return this.#rendering !== null && !this.#isSettled && this.numbering?.isFinal !== false;
  }

  /** Ends a document that is done: the numbers of others can rely on its pages. Throws as `print` does. */
  async settle(): Promise<void> {
    this.#isSettled = true;
    this.#place.pages.settle(this.#place.index);
    await this.leave();
  }

  /** Ends the document, and its page. Throws as `print` does. */
  async leave(): Promise<void> {
    if (this.#wait.isWaiting) this.#wait.release();
    await this.#rendering;
  }

  async #render(): Promise<void> {
    const { keeper, waitingPages } = this.#options;
    const fetchers = new RenderFetchers(this.#options.openResourceFetcher, this.#options.accountId);
    try {
      const loaded = (this.#loaded ??= await loadTexts(this.#request, fetchers, this.#options));
      const waitForOthers = (pdf: Buffer, page: HeldPage): Promise<boolean> =>
        this.#waitForOthers(pdf, page, loaded);
      const numbering = this.numbering ?? createNumbering(loaded, { ...this.#place, waitForOthers });
      const options = { ...this.#options, fetchers, numbering };
      const work = createPrintWork(this.#request, loaded, options, (printed) => Promise.resolve(printed));
      this.numbering = numbering;
      this.printed = await renderPage(keeper, work, {
        ...options,
        remainingMs: this.#options.getRemainingMs(),
      });
      this.bytes = this.printed.pdf.length;
      if (numbering?.isFinal !== false) this.#loaded = null;
    } catch (error) {
      throw this.#nameFailure(error);
    } finally {
      if (this.#mayWait) waitingPages.release();
      this.#mayWait = false;
      if (this.#wait.isWaiting) this.#wait.release();
      fetchers.close();
    }
  }

  /** Waits in the page. Resolves with false if the document is to be loaded again for its next print. */
  async #waitForOthers(pdf: Buffer, page: HeldPage, { inlined }: LoadedTexts): Promise<boolean> {
    this.bytes = pdf.length;
    const { waitingPages, rendererMemoryMb } = this.#options;
    const maxBytes = computeWaitingBytes(rendererMemoryMb);
    const isTooLarge = (): boolean => page.residentBytes > maxBytes;
    this.#mayWait ||= inlined.document === null && !isTooLarge() && waitingPages.acquire();
    return this.#mayWait && this.#wait.wait(isTooLarge);
  }

  /** Returns the error of a request, whose message names the document if there are several. */
  #nameFailure(thrown: unknown): unknown {
    const { whole } = this.#options;
    const error = toApiError(thrown, whole, this.#options);
    // What passes by itself is no fault of the document, such as a place that another account needs.
    if (!(error instanceof ApiError) || error.retryAfterSeconds !== undefined) return error;
    const { code, message, param, cause } = error;
    const { index, hasOthers } = this.#place;
    return new ApiError(code, hasOthers ? `Document ${index + 1}: ${message}` : message, {
      ...(param !== undefined && { param }),
      cause,
    });
  }
}
