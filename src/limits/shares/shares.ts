import type { ApiError } from '#errors';

/** The account that holds places. */
export interface ShareHolder {
  readonly accountId: string;
  /** The browser pages that its plan allows at a time (null: all but one). */
  readonly slots: number | null;
  /** The weight of its plan; by default its slots. */
  readonly weight?: number | undefined;
  /** True if the account is unproven: such accounts share one weight, and hold one browser page each. */
  readonly isUnproven?: boolean | undefined;
}

/**
 * The scarce resources. `bodyBytes`: bytes of request bodies held in memory. `…Requests`: requests in flight
 * of an operation. `pageConnections`: pages being fetched. `browserPages`: documents being rendered.
 * `dnsLookups`: DNS lookups of email validations. `parserThreads`: large bodies being parsed.
 */
export type ShareKind =
  | 'bodyBytes'
  | 'emailRequests'
  | 'metadataRequests'
  | 'pdfRequests'
  | 'pageConnections'
  | 'browserPages'
  | 'dnsLookups'
  | 'parserThreads';

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
  /**
   * Returns the places. A second call does nothing. `usedMs`: what one was used for, such as CPU time, in
   * place of the time for which it was held.
   */
  release(usedMs?: number): void;
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
   * Acquires places immediately. Throws ApiError `rate_limit_exceeded` if the account would exceed its share,
   * and `overloaded` if the accounts within their shares use the whole capacity.
   */
  take(kind: ShareKind, holder: ShareHolder, amount: number, onReclaim?: OnReclaim): Place;
  /**
   * Waits for one place by weighted fair queueing. Rejects as `take` does, and with `overloaded` if the wait
   * would be too long.
   */
  acquire(kind: ShareKind, holder: ShareHolder, options?: AcquireOptions): Promise<Place>;
  getState(kind: ShareKind): ShareState;
}

/** Connections to all target hosts at a time, of one process. */
export const EGRESS_CONNECTIONS = 512;

/** The settings that capacities depend on. */
export interface CapacityOptions {
  /** Documents and pages rendered at a time (PDF_SLOTS). */
  pdfSlots: number;
  /** Connections to all target hosts at a time; half of them fetch pages, the others resources. */
  egressConnections?: number;
  /** Memory for request bodies in flight, in megabytes of 1,000,000 bytes (BODY_MEMORY_MB). */
  bodyMemoryMb: number;
}

/** Returns how many places of each kind this process has. */
export function computeCapacities(options: CapacityOptions): ShareCapacities {
  return {
    bodyBytes: options.bodyMemoryMb * 1_000_000,
    emailRequests: 1_024,
    metadataRequests: 512,
    pdfRequests: 256,
    pageConnections: Math.ceil((options.egressConnections ?? EGRESS_CONNECTIONS) / 2),
    browserPages: options.pdfSlots,
    dnsLookups: 256,
    // One of them for accounts that have no body in a thread.
    parserThreads: 2,
  };
}

/** The maximum number of places of each kind that one account may hold at a time. */
export interface AccountShares extends ShareCapacities {
  /**
   * Requests in flight of all operations together, besides the documents being rendered:
   * `emailRequests + metadataRequests + max(0, pdfRequests - browserPages)`.
   */
  readonly otherRequests: number;
}

/** A plan with browser slots allows this many times as many other requests at a time. */
export const OTHER_REQUESTS_PER_SLOT = 8;

/**
 * Returns the shares of an account on this plan, in a process with these capacities. Without `slots` an
 * account may use all but one place of a kind, and all body bytes but `largestBodyBytes`. A capacity of one
 * place may be used whole.
 */
export function computeShares(
  { slots }: Pick<ShareHolder, 'slots'>,
  capacities: ShareCapacities,
  largestBodyBytes: number,
): AccountShares {
  const maximum = computeMaximum(capacities, largestBodyBytes);
  const requests = maximum.emailRequests + maximum.metadataRequests + maximum.pdfRequests;
  if (slots === null) return { ...maximum, otherRequests: requests };
  const browserPages = Math.min(slots, maximum.browserPages);
  const otherRequests = Math.min(slots * OTHER_REQUESTS_PER_SLOT, requests);
  return {
    ...maximum,
    browserPages,
    otherRequests,
    emailRequests: Math.min(otherRequests, maximum.emailRequests),
    metadataRequests: Math.min(otherRequests, maximum.metadataRequests),
    pdfRequests: Math.min(otherRequests + browserPages, maximum.pdfRequests),
    pageConnections: Math.min(otherRequests, maximum.pageConnections),
  };
}

/** Returns what one account may hold on any plan: one place of each kind stays free for others. */
function computeMaximum(capacities: ShareCapacities, largestBodyBytes: number): ShareCapacities {
  const allButOne = (capacity: number, place = 1) => Math.max(capacity - place, Math.min(place, capacity));
  return {
    bodyBytes: allButOne(capacities.bodyBytes, largestBodyBytes),
    emailRequests: allButOne(capacities.emailRequests),
    metadataRequests: allButOne(capacities.metadataRequests),
    pdfRequests: allButOne(capacities.pdfRequests),
    pageConnections: allButOne(capacities.pageConnections),
    browserPages: allButOne(capacities.browserPages),
    dnsLookups: allButOne(capacities.dnsLookups),
    parserThreads: allButOne(capacities.parserThreads),
  };
}
