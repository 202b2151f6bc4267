import type { ShareCapacities } from './shares.ts';

/** The settings that capacities depend on. */
export interface CapacityOptions {
  /** Documents and pages rendered at once (PDF_SLOTS). */
  pdfSlots: number;
  /**
   * Connections to all target hosts at once (EGRESS_CONNECTIONS); half of them fetch pages, the others
   * resources.
   */
  egressConnections: number;
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
    pageConnections: Math.ceil(options.egressConnections / 2),
    browserPages: options.pdfSlots,
    dnsLookups: 256,
  };
}
