/** A command failed in the browser. */
export class CdpError extends Error {
  override name = 'CdpError';
}

/** The result of a command is larger than it may be. */
export class CdpDataTooLargeError extends CdpError {
  override name = 'CdpDataTooLargeError';
}

/** The browser has ended, or the page of the session has. */
export class CdpClosedError extends Error {
  override name = 'CdpClosedError';
}

/**
 * Why a page cannot render any more. `frame`: one of its frames held up those of other pages. `shared`: it
 * took too much memory or CPU time of the browser's own process.
 */
export type LossReason =
  | 'crashed'
  | 'closed'
  | 'navigated'
  | 'dialogs'
  | 'flood'
  | 'memory'
  | 'deadline'
  | 'frame'
  | 'shared'
  | 'discarded'
  | 'browser';

/** The page was lost before its render was done. */
export class PageLostError extends Error {
  override name = 'PageLostError';
  readonly reason: LossReason;

  constructor(reason: LossReason) {
    super(`the page is lost: ${reason}`);
    this.reason = reason;
  }
}

/** No browser runs, and none can be started at present. */
export class BrowserUnavailableError extends Error {
  override name = 'BrowserUnavailableError';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, cause: unknown) {
    super('no browser is available', { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
