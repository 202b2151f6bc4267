/** The account's plan: limits, shares, and how requests are counted. */
import { Code, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery, planQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { PlanTable } from '../../components/plan-table.tsx';
import { Section } from '../../components/section.tsx';
import { SharesSection } from './shares-section.tsx';

/** Shows the limits of the account and of all plans. */
export function PlanPage() {
  const plan = useQuery(planQuery);
  return (
    <>
      <PageHeader
        title="Plan and limits"
        description="The plan belongs to your account. The rate limit applies to each key, shares to all keys together."
      />
      <QueryState query={plan}>
        <RowsLoading rows={3} height={120} />
      </QueryState>
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
  const used = minute?.used_max_key;
  return (
    <Section title="This minute" description="Your busiest key.">
      <UsedShare
        used={used}
        limit={plan.limit_per_minute}
        unit="requests"
        label="Share of the limit in use"
        warnAt={90}
      />
    </Section>
  );
}

function KeysSection({ plan }: { plan: Plan }) {
  return (
    <Section title="Keys" description="Keys in use, without revoked and expired ones.">
      <UsedShare
        used={plan.keys_used}
        limit={plan.keys_limit}
        unit="keys"
        label="Share of the keys in use"
        warnAt={100}
      />
    </Section>
  );
}

/** Shows `used` of `limit` in words and as a bar, which is red from `warnAt` percent. */
function UsedShare({
  used,
  limit,
  unit,
  label,
  warnAt,
}: {
  used: number | undefined;
  limit: number;
  unit: string;
  label: string;
  warnAt: number;
}) {
  const percent = used === undefined || limit === 0 ? 0 : (used / limit) * 100;
  return (
    <>
      <Text fz={28} fw={650} className="tabular">
        {used === undefined ? '–' : formatNumber(used)}
        <Text span c="dimmed" fz="md" fw={400}>
          {' '}
          of {formatNumber(limit)} {unit}
        </Text>
      </Text>
      <Progress
        value={Math.min(100, percent)}
        color={percent >= warnAt ? 'red' : 'ink'}
        mt="xs"
        aria-label={label}
      />
    </>
  );
}

function PlansSection({ plan }: { plan: Plan }) {
  return (
    <Section title="Plans" description="To change your plan, ask the operator of this service.">
      <PlanTable plans={plan.plans} currentPlan={plan.plan} />
    </Section>
  );
}

function RulesSection({ plan }: { plan: Plan }) {
  return (
    <Section title="How requests are counted">
      <List size="sm" spacing="xs">
        <List.Item>
          A window is a clock minute in UTC. Your plan allows {formatNumber(plan.limit_per_minute)} requests
          per window, and they may all arrive at once.
        </List.Item>
        <List.Item>
          Every request within the limit counts, whatever its response. A batch counts once per address or
          URL, and a rendered page once like any other.
        </List.Item>
        <List.Item>
          Every response reports your limit: <Code>X-RateLimit-Limit</Code>,{' '}
          <Code>X-RateLimit-Remaining</Code> and <Code>X-RateLimit-Reset</Code>, the Unix time at which the
          next window begins.
        </List.Item>
        <List.Item>
          Over the limit you get <Code>429 rate_limit_exceeded</Code>, which does not count. Over a share you
          get the same error, or <Code>503 overloaded</Code> if the request was queued; its message names the
          share, and it counts. Wait as many seconds as <Code>Retry-After</Code> says, then try again.
        </List.Item>
        <List.Item>A rotated key shares its limit with the key that replaces it, until it expires.</List.Item>
      </List>
    </Section>
  );
}
