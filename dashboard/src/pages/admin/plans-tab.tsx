/** The plans and the number of accounts on each. */
import { useQuery } from '@tanstack/react-query';
import { adminPlansQuery } from '../../api/queries.ts';
import type { RouteResponse } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { formatNumber } from '../../components/format.ts';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import classes from './admin-page.module.css';

type AdminPlan = RouteResponse<'GET /account/admin/plans'>['plans'][number];

const number = (key: string, header: string, getValue: (plan: AdminPlan) => number): Column<AdminPlan> => ({
  key,
  header,
  number: true,
  render: (plan) => formatNumber(getValue(plan)),
});

const COLUMNS: readonly Column<AdminPlan>[] = [
  { key: 'name', header: 'Plan', strong: true, narrow: 'title', render: ({ name }) => name },
  {
    ...number('limit', 'Requests per minute and key', (plan) => plan.limit_per_minute),
    narrow: 'note',
  },
  {
    key: 'month',
    header: 'Requests per month',
    number: true,
    render: ({ monthly_quota: quota }) => (quota === null ? 'No limit' : formatNumber(quota)),
  },
  number('slots', 'Renders at once', ({ shares }) => shares.browser_slots),
  number('pages', 'Pages fetched at once', ({ shares }) => shares.page_connections),
  number('others', 'Other requests at once', ({ shares }) => shares.other_requests),
  { ...number('accounts', 'Accounts', ({ accounts }) => accounts), narrow: 'aside' },
];

/** Shows the plans, which are settings of the service. */
export function PlansTab() {
  const plans = useQuery(adminPlansQuery);
  return (
    <div className={classes.panel}>
      <QueryState query={plans}>
        <RowsLoading rows={3} />
      </QueryState>
      {plans.data && (
        <DataTable label="Plans" columns={COLUMNS} rows={plans.data} getKey={({ name }) => name} edge />
      )}
      <p className={classes.note}>
        Plans and their limits are settings of the service (PLANS and MONTHLY_QUOTAS). What an account may use
        at once applies to each process. To change an account’s plan, open it in Accounts.
      </p>
    </div>
  );
}
