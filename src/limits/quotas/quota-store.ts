/** A calendar month in UTC. */
export interface QuotaMonth {
  startMs: number;
  /** The start of the next month. */
  endMs: number;
}

/** Returns the month that contains `nowMs`. */
export function computeQuotaMonth(nowMs: number): QuotaMonth {
  const date = new Date(nowMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}

/** Returns a function that finds the month of a time, and computes it once a month. */
export function createMonthFinder(): (nowMs: number) => QuotaMonth {
  let month: QuotaMonth = { startMs: 0, endMs: 0 };
  return (nowMs) => {
    if (nowMs < month.startMs || nowMs >= month.endMs) month = computeQuotaMonth(nowMs);
    return month;
  };
}

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

/** Formats the mail to the owner of an account that has used a part of its quota, or all of it. */
export function formatQuotaMail(
  { percent, used, quota, resetsAtMs }: QuotaNotice,
  origin: string,
): { subject: string; text: string } {
  const isUsedUp = percent >= 100;
  const day = new Date(resetsAtMs).toISOString().slice(0, 10);
  const consequence = isUsedUp
    ? `Until ${day}, 00:00 UTC, requests are refused with 429 rate_limit_exceeded.`
    : `Past the quota, requests are refused with 429 rate_limit_exceeded. It resets on ${day}, 00:00 UTC.`;
  return {
    subject: isUsedUp ? 'Your monthly quota is used up' : `${percent}% of your monthly quota is used`,
    text: [
      `Your account has used ${used} of ${quota} requests of this month.`,
      consequence,
      `Your usage:\n${origin}/usage`,
      'For a larger plan, contact the operator of this service.',
    ].join('\n\n'),
  };
}
