import { CdpError } from '../browser-errors.ts';
import type { SuppliedResponse } from '../resources/supplied-responses.ts';

/** The response for a document whose content is set later. */
export const EMPTY_DOCUMENT: SuppliedResponse = {
  responseCode: 200,
  responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
};

/** Returns an expression by which an empty document navigates to `url`, without a referrer. */
export function formatNavigation(url: string): string {
  const withoutReferrer = "document.head.innerHTML = '<meta name=referrer content=no-referrer>'";
  return `${withoutReferrer}; location.replace(${JSON.stringify(url)})`;
}

/** A document that a page is opening. */
export class Opening {
  /** Resolves when the document begins; rejects with CdpError if the browser refuses its URL. */
  readonly begun = Promise.withResolvers<void>();
  /** Resolves at its load event, and rejects as `begun` does. */
  readonly loaded = Promise.withResolvers<void>();
  #response: SuppliedResponse | null;

  constructor(response: SuppliedResponse) {
    this.#response = response;
    this.begun.promise.catch(() => {});
    this.loaded.promise.catch(() => {});
  }

  /**
   * Returns the response for the document; null for later requests, which scripts of the document make. An
   * empty document has none.
   */
  takeResponse(): SuppliedResponse | null {
    const response = this.#response;
    if (response !== EMPTY_DOCUMENT) this.#response = null;
    return response;
  }

  /** Called when a document begins. `unreachableUrl` is set if it is the browser's page about an error. */
  begin(unreachableUrl: string | undefined): void {
    if (unreachableUrl === undefined) {
      this.begun.resolve();
      return;
    }
    const error = new CdpError('unreachable');
    this.begun.reject(error);
    this.loaded.reject(error);
  }
}
