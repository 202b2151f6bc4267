/** The plans and their limits as a table. */
import { Badge, Group, Text } from '@mantine/core';
import type { PlanTerms } from '../api/types.ts';
import { formatNumber } from './format.ts';
import { Cell, Row, StackTable } from './stack-table.tsx';

type PlanRow = PlanTerms & { accounts?: number };

const LIMITS: readonly [label: string, getValue: (plan: PlanRow) => number][] = [
  ['Requests per minute and key', ({ limit_per_minute }) => limit_per_minute],
  ['Documents and pages rendered at once', ({ shares }) => shares.browser_slots],
  ['Other requests at once', ({ shares }) => shares.other_requests],
];
const ACCOUNTS = ['Accounts', ({ accounts = 0 }: PlanRow) => accounts] as const;

/** Lists the plans. Marks `currentPlan`, and shows the number of accounts if the plans have it. */
export function PlanTable({ plans, currentPlan }: { plans: readonly PlanRow[]; currentPlan?: string }) {
  const columns = plans.some(({ accounts }) => accounts !== undefined) ? [...LIMITS, ACCOUNTS] : LIMITS;
  return (
    <StackTable label="Plans" columns={['Plan', ...columns.map(([label]) => label)]}>
      {plans.map((plan) => (
        <Row key={plan.name}>
          <Cell wide>
            <Group gap="xs">
              <Text fw={600} tt="capitalize" size="sm" style={{ overflowWrap: 'anywhere' }}>
                {plan.name}
              </Text>
              {plan.name === currentPlan && <Badge>Your plan</Badge>}
            </Group>
          </Cell>
          {columns.map(([label, getValue]) => (
            <Cell key={label} label={label}>
              <span className="tabular">{formatNumber(getValue(plan))}</span>
            </Cell>
          ))}
        </Row>
      ))}
    </StackTable>
  );
}
