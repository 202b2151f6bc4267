/**
 * Monthly quotas of accounts: units per calendar month (UTC), counted in memory on top of the totals in the
 * database, which all replicas add to. Never refers to plans, keys or HTTP, and never reads the clock.
 */
export { createMonthlyQuotas } from './monthly-quotas.ts';
export type { MonthlyQuotas, MonthlyQuotasOptions, QuotaDecision } from './monthly-quotas.ts';
export { computeQuotaMonth } from './quota-month.ts';
export type { QuotaMonth } from './quota-month.ts';
export { formatQuotaMail } from './quota-mail.ts';
export type { QuotaNotice, QuotaStore } from './quota-store.ts';
