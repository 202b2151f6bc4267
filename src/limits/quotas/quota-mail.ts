import type { QuotaNotice } from './quota-store.ts';

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
