import type { ShareCapacities, ShareHolder } from './shares.ts';

/** The maximum number of places of each kind that one account may hold at once. */
export interface AccountShares extends ShareCapacities {
  /**
   * Requests in flight of all operations together, besides the documents being rendered:
   * `emailRequests + metadataRequests + max(0, pdfRequests - browserPages)`.
   */
  readonly otherRequests: number;
}

/** A plan with browser slots allows this many times as many other requests at once. */
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
  };
}
