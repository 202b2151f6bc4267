import type { ApiError } from '#errors';

/** The account that holds places, and the browser pages that its plan allows at once (null: all but one). */
export interface ShareHolder {
  readonly accountId: string;
  readonly slots: number | null;
}

/**
 * The scarce resources. `bodyBytes`: bytes of request bodies held in memory. `…Requests`: requests in flight
 * of an operation. `pageConnections`: pages being fetched. `browserPages`: documents being rendered.
 * `dnsLookups`: DNS lookups of email validations.
 */
export type ShareKind =
  | 'bodyBytes'
  | 'emailRequests'
  | 'metadataRequests'
  | 'pdfRequests'
  | 'pageConnections'
  | 'browserPages'
  | 'dnsLookups';

/** The number of places of each kind in the process; `bodyBytes` in bytes. */
export type ShareCapacities = Readonly<Record<ShareKind, number>>;

/** The use of one kind. */
export interface ShareState {
  capacity: number;
  held: number;
  queued: number;
}

/** Places that an account holds until it releases them. */
export interface Place {
  /**
   * Holds `amount` places from now on. Throws what `take` throws if it does not fit; the place is then
   * unchanged.
   */
  resize(amount: number): void;
  /** Returns the places. A second call does nothing. */
  release(): void;
}

/**
 * Called at most once, when an account within its share needs the place and this account exceeds its own. The
 * place is already released; the work must stop and respond with `error`.
 */
export type OnReclaim = (error: ApiError) => void;

export interface AcquireOptions {
  onReclaim?: OnReclaim;
  /** Aborting removes the request from the queue; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The maximum wait, in place of the kind's own; Infinity for work without a deadline of its own. */
  maxWaitMs?: number;
}

export interface Shares {
  /**
   * Acquires places at once. Throws ApiError `rate_limit_exceeded` if the account would exceed its share, and
   * `overloaded` if the accounts within their shares use the whole capacity.
   */
  take(kind: ShareKind, holder: ShareHolder, amount: number, onReclaim?: OnReclaim): Place;
  /**
   * Waits for one place by weighted fair queueing. Rejects as `take` does, and with `overloaded` if the wait
   * would be too long.
   */
  acquire(kind: ShareKind, holder: ShareHolder, options?: AcquireOptions): Promise<Place>;
  getState(kind: ShareKind): ShareState;
}
