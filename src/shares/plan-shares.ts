import type { ShareCapacities, ShareHolder } from './shares.ts';

/** The places of each kind that one account may hold at once. */
export interface AccountShares extends ShareCapacities {
  /**
   * Requests in flight of all operations together, besides the documents being rendered:
   * `emailRequests + metadataRequests + max(0, pdfRequests - browserPages)`.
   */
  readonly otherRequests: number;
}

/** A plan that sets its browser slots allows this many times as many other requests at once. */
export const OTHER_REQUESTS_PER_SLOT = 8;

/**
 * Returns the shares of an account on this plan, in a process of these capacities. Without `slots` an account
 * may use all of a kind but one place; of body bytes, all but `largestBodyBytes`. A kind whose capacity is
 * one place may be used whole.
 */
export function computeShares(
  { slots }: Pick<ShareHolder, 'slots'>,
  capacities: ShareCapacities,
  largestBodyBytes: number,
): AccountShares {
  const most = computeMost(capacities, largestBodyBytes);
  const requests = most.emailRequests + most.metadataRequests + most.pdfRequests;
  if (slots === null) return { ...most, otherRequests: requests };
  const browserPages = Math.min(slots, most.browserPages);
  const otherRequests = Math.min(slots * OTHER_REQUESTS_PER_SLOT, requests);
  return {
    ...most,
    browserPages,
    otherRequests,
    emailRequests: Math.min(otherRequests, most.emailRequests),
    metadataRequests: Math.min(otherRequests, most.metadataRequests),
    pdfRequests: Math.min(otherRequests + browserPages, most.pdfRequests),
    pageConnections: Math.min(otherRequests, most.pageConnections),
  };
}

/** What one account may hold whatever its plan says: one place of each kind always stays free for others. */
function computeMost(capacities: ShareCapacities, largestBodyBytes: number): ShareCapacities {
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
