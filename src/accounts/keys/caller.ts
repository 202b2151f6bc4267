import type { ClientNetworks } from './client-networks.ts';

/** The authenticated key and its permissions. One object per key while it is cached. */
export interface Caller {
  keyId: string;
  accountId: string;
  /** The id that the rate limit counts by. */
  limitId: string;
  plan: string;
  limitPerMinute: number;
  /**
   * Browser pages that the account's plan allows at once; null if `shares/` derives them from the machine.
   */
  slots: number | null;
  /** Units per calendar month of the account's plan; undefined if they are not limited. */
  monthlyQuota?: number | undefined;
  operations: readonly string[] | null;
  /** Null if the key may be used from all networks. */
  clientNetworks: ClientNetworks | null;
}
