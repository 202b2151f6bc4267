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
        <StackTable label="Plans" columns={['Plan', 'Requests per minute, for each key', 'Accounts']}>
          {plans.data.map(({ name, limit_per_minute, accounts }) => (
            <Row key={name}>
              <Cell wide>
                <Text size="sm" fw={600} tt="capitalize">
                  {name}
                </Text>
              </Cell>
              <Cell label="Requests per minute">
                <span className="tabular">{limit_per_minute.toLocaleString('en')}</span>
              </Cell>
              <Cell label="Accounts">
                <span className="tabular">{accounts.toLocaleString('en')}</span>
              </Cell>
            </Row>
          ))}
        </StackTable>
      </div>
      <Text size="sm" c="dimmed">
        Plans and their limits are set in the service’s configuration. An account’s plan is chosen under
        Accounts.
      </Text>
    </Stack>
  );
}
