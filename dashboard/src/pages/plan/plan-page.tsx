/** The plan, what it allows, and how the limit is counted. */
import { Badge, Code, Group, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery, planQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { LoadError, RowsLoading } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';

/** The page. */
export function PlanPage() {
  const plan = useQuery(planQuery);
  return (
    <>
      <PageHeader
        title="Plan and limits"
        description="The plan belongs to your account; the limit counts for each key."
      />
      {plan.data === undefined && !plan.isError && <RowsLoading rows={3} height={120} />}
      {plan.isError && <LoadError error={plan.error} retry={() => void plan.refetch()} />}
      {plan.data && (
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <LimitSection plan={plan.data} />
            <KeysSection plan={plan.data} />
          </SimpleGrid>
          <PlansSection plan={plan.data} />
          <RulesSection plan={plan.data} />
        </Stack>
      )}
    </>
  );
}

function LimitSection({ plan }: { plan: Plan }) {
  const minute = useQuery(overviewQuery).data?.minute;
  const share = minute === undefined || minute.limit === 0 ? 0 : (minute.used_max_key / minute.limit) * 100;
  return (
    <Section title="This minute" description="Your busiest key.">
      <Text fz={28} fw={650} className="tabular">
        {minute?.used_max_key.toLocaleString('en') ?? '–'}
        <Text span c="dimmed" fz="md" fw={400}>
          {' '}
          of {plan.limit_per_minute.toLocaleString('en')} requests
        </Text>
      </Text>
      <Progress
        value={Math.min(100, share)}
        color={share >= 90 ? 'red' : 'brand'}
        mt="xs"
        aria-label="Share of the limit in use"
      />
    </Section>
  );
}

function KeysSection({ plan }: { plan: Plan }) {
  const share = (plan.keys_used / Math.max(1, plan.keys_limit)) * 100;
  return (
    <Section title="Keys" description="In use; revoked and expired ones do not count.">
      <Text fz={28} fw={650} className="tabular">
        {plan.keys_used}
        <Text span c="dimmed" fz="md" fw={400}>
          {' '}
          of {plan.keys_limit} keys
        </Text>
      </Text>
      <Progress
        value={share}
        color={share >= 100 ? 'red' : 'brand'}
        mt="xs"
        aria-label="Share of the keys in use"
      />
    </Section>
  );
}

function PlansSection({ plan }: { plan: Plan }) {
  return (
    <Section title="Plans" description="To change yours, ask the operator of this service." padded={false}>
      <StackTable label="Plans" columns={['Plan', 'Requests per minute, for each key']}>
        {plan.plans.map(({ name, limit_per_minute }) => (
          <Row key={name}>
            <Cell wide>
              <Group gap="xs">
                <Text fw={name === plan.plan ? 650 : 400} tt="capitalize" size="sm">
                  {name}
                </Text>
                {name === plan.plan && (
                  <Badge variant="light" tt="none" radius="sm">
                    Your plan
                  </Badge>
                )}
              </Group>
            </Cell>
            <Cell label="Requests per minute">
              <span className="tabular">{limit_per_minute.toLocaleString('en')}</span>
            </Cell>
          </Row>
        ))}
      </StackTable>
    </Section>
  );
}

function RulesSection({ plan }: { plan: Plan }) {
  return (
    <Section title="How it is counted">
      <List size="sm" spacing="xs">
        <List.Item>
          A window is a clock minute in UTC. With {plan.limit_per_minute.toLocaleString('en')} a minute,
          exactly that many requests are admitted in it, however many arrive at once.
        </List.Item>
        <List.Item>
          A request counts when it is admitted, whatever it answers later. A 429 does not count. A batch
          counts one for each address.
        </List.Item>
        <List.Item>
          Every answer tells where you stand: <Code>X-RateLimit-Limit</Code>,{' '}
          <Code>X-RateLimit-Remaining</Code> and <Code>X-RateLimit-Reset</Code>, the Unix time at which the
          next window begins.
        </List.Item>
        <List.Item>
          Past the limit you get <Code>429 rate_limit_exceeded</Code> with <Code>Retry-After</Code>: wait that
          many seconds, then go on.
        </List.Item>
        <List.Item>A rotated key shares its limit with its successor until it ends.</List.Item>
      </List>
    </Section>
  );
}
