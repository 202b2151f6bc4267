import { findPlan, getKeyStatus, type Plan } from '#accounts';
import { computeQuotaMonth } from '#limits';
import { loadMonthUnits, loadUsagePeriods, type UsagePeriods } from '#usage';
import { describePlan, describeStatus, findAccount, toAccountJson } from './accounts-commands.ts';
import type { Command } from './command.ts';
import { formatFacts, formatTable, formatTime } from './format-table.ts';
import { toKeyJson } from './keys-commands.ts';

/** A session is used at least once a day, and ends after seven. */
const DAY_MS = 86_400_000;

export const showAccountCommand: Command = {
  name: 'accounts show',
  positionals: ['email'],
  options: {},
  usage: 'accounts show <email>',
  help: 'Shows an account: plan, status, last sign-in, sessions, usage today, in 7 days and this month (UTC), its monthly quota, and its keys.',
  async run({ accounts, access, keys, usage, plans, now }, { positionals: [email = ''] }) {
    const nowMs = now();
    const account = await findAccount(accounts, email);
    const signedInAtMs = await access.findLastEvent(account.id, 'sign_in');
    const sessions = await access.listSessions(account.id, nowMs - DAY_MS, nowMs - 7 * DAY_MS);
    const hasSecondFactor = (await access.findSecondFactor(account.id)) !== null;
    const periods = await loadUsagePeriods(usage, account.id, nowMs);
    const units = await loadMonthUnits(usage, account.id, nowMs);
    const plan = findPlan(plans, account.plan);
    const own = await keys.listKeys(account.id);
    const facts = formatFacts([
      ['Account', `${account.email} (${account.id})`],
      ['Status', describeStatus(account) || 'active'],
      ['Plan', `${account.plan}: ${describePlan(plan)}`],
      ['This month', describeMonth(units, plan, nowMs)],
      ['Created', formatTime(account.createdAtMs)],
      ['Last sign-in', formatTime(signedInAtMs) || 'none in 90 days'],
      ['Sessions', String(sessions.length)],
      ['Second factor', hasSecondFactor ? 'yes' : 'no'],
    ]);
    const rows = own.map((key) => [
      key.id,
      key.name,
      `${key.prefix}…${key.lastFour}`,
      getKeyStatus(key, nowMs),
      formatTime(key.lastUsedAtMs),
      formatTime(key.expiresAtMs),
    ]);
    return {
      text: `${facts}\n\n${formatUsage(periods)}\n\n${formatTable(['ID', 'NAME', 'KEY', 'STATUS', 'LAST USED', 'EXPIRES'], rows)}`,
      json: {
        ...toAccountJson(account),
        last_sign_in_at: formatTime(signedInAtMs) || null,
        sessions: sessions.length,
        second_factor: hasSecondFactor,
        usage: toUsageJson(periods),
        monthly_quota: plan.monthlyQuota ?? null,
        units_this_month: units,
        resets_at: formatTime(computeQuotaMonth(nowMs).endMs),
        keys: own.map((key) => toKeyJson(key, account.email, nowMs)),
      },
    };
  },
};

/** Describes the units of this month beside the quota of the plan. */
function describeMonth(units: number, { monthlyQuota }: Plan, nowMs: number): string {
  if (monthlyQuota === undefined) return `${units} requests, no quota`;
  const percent = Math.floor((units / monthlyQuota) * 100);
  const reset = formatTime(computeQuotaMonth(nowMs).endMs);
  return `${units} of ${monthlyQuota} requests (${percent}%), resets at ${reset}`;
}

function formatUsage({ today, last7Days, thisMonth }: UsagePeriods): string {
  const names = [...new Set(thisMonth.operations.concat(last7Days.operations).map((one) => one.operation))];
  const count = (period: UsagePeriods['today'], operation: string): string => {
    const found = period.operations.find((one) => one.operation === operation);
    return formatCount(found ?? { requests: 0, errors: 0 });
  };
  const rows = names.map((name) => [
    name,
    count(today, name),
    count(last7Days, name),
    count(thisMonth, name),
  ]);
  rows.push(['all', formatCount(today), formatCount(last7Days), formatCount(thisMonth)]);
  return formatTable(['REQUESTS', 'TODAY', '7 DAYS', 'THIS MONTH'], rows);
}

function formatCount({ requests, errors }: { requests: number; errors: number }): string {
  return errors === 0 ? String(requests) : `${requests} (${errors} errors)`;
}

function toUsageJson({ today, last7Days, thisMonth }: UsagePeriods): Record<string, unknown> {
  const toJson = ({ fromMs, ...totals }: UsagePeriods['today']) => ({ from: formatTime(fromMs), ...totals });
  return { today: toJson(today), last_7_days: toJson(last7Days), this_month: toJson(thisMonth) };
}
