/** The plan, what it allows, and how requests are counted. */
import { Badge, Code, Group, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery, planQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { LoadError, RowsLoading } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { SharesSection } from './shares-section.tsx';

/** The page. */
export function PlanPage() {
  const plan = useQuery(planQuery);
  return (
    <>
      <PageHeader
        title="Plan and limits"
        description="The plan belongs to your account. The rate limit counts for each key; shares count for all keys together."
      />
      {plan.data === undefined && !plan.isError && <RowsLoading rows={3} height={120} />}
      {plan.isError && <LoadError error={plan.error} retry={() => void plan.refetch()} />}
      {plan.data && (
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <LimitSection plan={plan.data} />
            <KeysSection plan={plan.data} />
          </SimpleGrid>
          <SharesSection shares={plan.data.shares} />
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
      <StackTable
        label="Plans"
        columns={[
          'Plan',
          'Requests per minute and key',
          'Documents rendered at once',
          'Other requests at once',
        ]}
      >
        {plan.plans.map(({ name, limit_per_minute, shares }) => (
          <Row key={name}>
            <Cell wide>
              <Group gap="xs">
                <Text
                  fw={name === plan.plan ? 650 : 400}
                  tt="capitalize"
                  size="sm"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {name}
                </Text>
                {name === plan.plan && (
                  <Badge variant="light" tt="none" radius="sm">
                    Your plan
                  </Badge>
                )}
              </Group>
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
          </Row>
        ))}
      </StackTable>
    </Section>
  );
}

function RulesSection({ plan }: { plan: Plan }) {
  return (
    <Section title="How requests are counted">
      <List size="sm" spacing="xs">
        <List.Item>
          A window is a clock minute in UTC. With {plan.limit_per_minute.toLocaleString('en')} a minute,
          exactly that many requests are admitted in it, however many arrive at once.
        </List.Item>
        <List.Item>
          A request counts when it is admitted, whatever its response is. A batch counts one for each address.
        </List.Item>
        <List.Item>
          Every response reports your limit: <Code>X-RateLimit-Limit</Code>,{' '}
          <Code>X-RateLimit-Remaining</Code> and <Code>X-RateLimit-Reset</Code>, the Unix time at which the
          next window begins.
        </List.Item>
        <List.Item>
          Over the limit you get <Code>429 rate_limit_exceeded</Code>, which does not count. Over a share you
          get the same error, or <Code>503 overloaded</Code> if the request was queued; its message names the
          share, and it counts. Wait for the seconds in <Code>Retry-After</Code>, then try again.
        </List.Item>
        <List.Item>A rotated key shares its limit with its successor until it expires.</List.Item>
      </List>
    </Section>
  );
}
