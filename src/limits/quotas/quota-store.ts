/** Stores what quotas need. All methods throw ApiError `unavailable` if the database fails. */
export interface QuotaStore {
  /** Returns the units of accounts in the month that starts at `monthStartMs`, if they have any. */
  sumUnits(accountIds: readonly string[], monthStartMs: number): Promise<Map<string, number>>;
  /**
   * Records that the owner of an account gets a notice about `percent` of the quota in a month. Returns true
   * for one caller, in one process; false for all others, and if the account does not exist any more.
   */
  claimNotice(notice: {
    accountId: string;
    monthStartMs: number;
    percent: number;
    nowMs: number;
  }): Promise<boolean>;
}

/** An account has used `percent` of its quota or more. */
export interface QuotaNotice {
  accountId: string;
  percent: number;
  used: number;
  quota: number;
  /** The end of the month. */
  resetsAtMs: number;
}
