import type { AccountUnits } from './account-units.ts';
import type { QuotaMonth } from './quota-month.ts';
import type { QuotaNotice, QuotaStore } from './quota-store.ts';

/** The percentages of a quota at which its owner gets an email, highest first. */
const NOTICE_PERCENTAGES = [100, 80] as const;

export interface NoticeOptions {
  store: Pick<QuotaStore, 'claimNotice'>;
  now: () => number;
  /** Called in one process, once per account, month and percentage. Must not throw. */
  onNotice: (notice: QuotaNotice) => void;
}

/**
 * Reports that an account has reached a percentage of its quota, if no process has done so in this month.
 * Only stored units count. Rejects if the database fails: the next call tries again.
 */
export async function claimNotices(
  { store, now, onNotice }: NoticeOptions,
  account: AccountUnits,
  { startMs, endMs }: QuotaMonth,
): Promise<void> {
  const { accountId, stored: used, quota, claimed } = account;
  const percent = NOTICE_PERCENTAGES.find((one) => used * 100 >= quota * one);
  if (percent === undefined || claimed.has(percent) || account.monthStartMs !== startMs) return;
  const isFirst = await store.claimNotice({ accountId, monthStartMs: startMs, percent, nowMs: now() });
  if (account.monthStartMs === startMs) claimed.add(percent);
  if (isFirst) onNotice({ accountId, percent, used, quota, resetsAtMs: endMs });
}
