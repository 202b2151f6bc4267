/** Connects monthly quotas to the database, the recorder of usage and the mails to account holders. */
import type { AccessContext } from '#accounts/sign-in';
import type { Config } from '#config';
import { createMonthlyQuotas, formatQuotaMail, type MonthlyQuotas, type QuotaNotice } from '#quotas';
import type { Storage } from '#storage';
import type { FastifyBaseLogger } from 'fastify';

export interface QuotasOptions {
  config: Config;
  storage: Storage;
  now: () => number;
  logger: FastifyBaseLogger;
  /** Returns what sends mails; it is opened later. */
  getAccess: () => Pick<AccessContext, 'sendMail' | 'getOrigin'>;
}

/** Creates the quotas of MONTHLY_QUOTAS; null if it is not set. */
export function openQuotas(options: QuotasOptions): MonthlyQuotas | null {
  const { config, storage, now, logger } = options;
  if (config.monthlyQuotas === null) return null;
  return createMonthlyQuotas({
    store: storage.quotas,
    now,
    onNotice: (notice) => {
      sendNotice(options, notice).catch((err: unknown) =>
        logger.error({ err }, 'the mail about a monthly quota could not be sent'),
      );
    },
    onError: (err) =>
      logger.error({ err }, 'cannot load monthly usage: quotas count on from the last known totals'),
  });
}

async function sendNotice({ storage, getAccess }: QuotasOptions, notice: QuotaNotice): Promise<void> {
  const account = await storage.accounts.findAccount(notice.accountId);
  if (account === null || account.disabled) return;
  const { sendMail, getOrigin } = getAccess();
  await sendMail({ to: account.email, ...formatQuotaMail(notice, getOrigin()) });
}
