/** The plans and how many accounts are on each. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminPlansQuery } from '../../api/queries.ts';
import { LoadError, RowsLoading } from '../../components/page-states.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';

/** The plans are settings of the service; here they are only shown. */
export function PlansTab() {
  const plans = useQuery(adminPlansQuery);
  if (plans.data === undefined) {
    return plans.isError ? (
      <LoadError error={plans.error} retry={() => void plans.refetch()} />
    ) : (
      <RowsLoading rows={3} />
    );
  }
  return (
    <Stack gap="sm">
      <div className="surface">
        <StackTable
          label="Plans"
          columns={[
            'Plan',
            'Requests per minute and key',
            'Documents rendered at once',
            'Other requests at once',
            'Accounts',
          ]}
        >
          {plans.data.map(({ name, limit_per_minute, shares, accounts }) => (
            <Row key={name}>
              <Cell wide>
                <Text size="sm" fw={600} tt="capitalize" style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              </Cell>
              <Cell label="Requests per minute and key">
                <span className="tabular">{limit_per_minute.toLocaleString('en')}</span>
              </Cell>
              <Cell label="Documents rendered at once">
                <span className="tabular">{shares.browser_slots.toLocaleString('en')}</span>
              </Cell>
              <Cell label="Other requests at once">
                <span className="tabular">{shares.other_requests.toLocaleString('en')}</span>
              </Cell>
              <Cell label="Accounts">
                <span className="tabular">{accounts.toLocaleString('en')}</span>
              </Cell>
            </Row>
          ))}
        </StackTable>
      </div>
      <Text size="sm" c="dimmed">
        Plans and their limits are set in the service’s configuration (PLANS). What an account may use at once
        counts in each process of the service. To change an account’s plan, open Accounts.
      </Text>
    </Stack>
  );
}
