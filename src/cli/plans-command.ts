import { OTHER_REQUESTS_PER_SLOT } from '#limits';
import type { Command } from './command.ts';
import { formatTable } from './format-table.ts';

export const listPlansCommand: Command = {
  name: 'plans',
  positionals: [],
  options: {},
  usage: 'plans',
  help: 'Lists the plans of PLANS: requests per minute and key, requests per month and account, documents and other requests that an account may have at once, and the number of accounts. An empty cell is derived from the machine, or no quota. Accounts of a plan that PLANS does not name have the smallest limits.',
  async run({ accounts, plans }) {
    const counts = await accounts.countAccountsByPlan();
    const listed = [...plans].map(([name, { limitPerMinute, slots, monthlyQuota = null }]) => ({
      name,
      limit_per_minute: limitPerMinute,
      monthly_quota: monthlyQuota,
      documents_at_once: slots,
      other_requests_at_once: slots === null ? null : slots * OTHER_REQUESTS_PER_SLOT,
      accounts: counts.get(name) ?? 0,
      configured: true,
    }));
    const gone = [...counts].filter(([name]) => !plans.has(name));
    const rows = listed.map((plan) => [
      plan.name,
      String(plan.limit_per_minute),
      String(plan.monthly_quota ?? ''),
      String(plan.documents_at_once ?? ''),
      String(plan.other_requests_at_once ?? ''),
      String(plan.accounts),
    ]);
    return {
      text: formatTable(
        ['PLAN', 'PER MINUTE', 'PER MONTH', 'DOCUMENTS AT ONCE', 'OTHERS AT ONCE', 'ACCOUNTS'],
        rows,
      ),
      json: listed,
      warning:
        gone.length === 0
          ? undefined
          : `PLANS does not name the plans of these accounts: ${gone.map(([name, count]) => `${name} (${count})`).join(', ')}.`,
    };
  },
};
