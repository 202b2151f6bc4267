/** The plans and the number of accounts on each. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminPlansQuery } from '../../api/queries.ts';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { PlanTable } from '../../components/plan-table.tsx';

/** Shows the plans, which are settings of the service. */
export function PlansTab() {
  const plans = useQuery(adminPlansQuery);
  if (plans.data === undefined) {
    return (
      <QueryState query={plans}>
        <RowsLoading rows={3} />
      </QueryState>
    );
  }
  return (
    <Stack gap="sm">
      <div className="surface">
        <PlanTable plans={plans.data} />
      </div>
      <Text size="sm" c="dimmed">
        Plans and their limits are set in the service’s configuration (PLANS). What an account may use at once
        applies to each process of the service. To change an account’s plan, open Accounts.
      </Text>
    </Stack>
  );
}
