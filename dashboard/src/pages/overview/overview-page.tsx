/** The overview page: today's figures, and the first steps of a new account. */
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { overviewQuery, sessionQuery } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import type { CreatedKey, Overview } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ResendVerification } from '../../components/resend-verification.tsx';
import { FirstCalls } from './first-calls.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HourBars } from './hour-bars.tsx';
import { LimitGauge, StatCard } from './stat-card.tsx';

/** Shows the overview. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  if (overview.data === undefined) {
    return (
      <>
        <PageHeader title="Overview" />
        <QueryState query={overview}>
          <RowsLoading rows={3} height={110} />
        </QueryState>
      </>
    );
  }
  const isNew = created !== null || (overview.data.keys.active === 0 && overview.data.today.requests === 0);
  return (
    <>
      <PageHeader
        title={isNew ? 'Welcome' : 'Overview'}
        description={isNew ? 'Make your first API call in three steps.' : undefined}
      />
      <Stack gap="lg">
        <ConfirmAddressNote />
        <QueryState query={overview} />
        {isNew && <FirstSteps created={created} onCreated={setCreated} />}
        {(!isNew || overview.data.today.requests > 0) && <Figures overview={overview.data} />}
        {!isNew && <FirstCalls />}
      </Stack>
    </>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { today, minute } = overview;
  const share = today.requests === 0 ? 0 : (today.errors / today.requests) * 100;
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
        <StatCard
          label="Requests today"
          value={formatNumber(today.requests)}
          note="Since midnight UTC"
          to="/requests"
        />
        <StatCard
          label="Errors today"
          value={formatNumber(today.errors)}
          note={
            today.requests === 0
              ? 'No requests yet'
              : `${share.toFixed(share > 0 && share < 10 ? 1 : 0)}% of requests`
          }
          to="/requests"
        />
        <StatCard
          label="Response time, p95"
          value={today.p95_ms === null ? '–' : `${formatNumber(Math.round(today.p95_ms))} ms`}
          note={today.p95_ms === null ? 'No requests yet' : '95% are faster'}
          to="/usage"
        />
        <LimitGauge limit={minute.limit} used={minute.used_max_key} />
      </SimpleGrid>
      <HourBars hours={overview.by_hour} />
    </>
  );
}

function ConfirmAddressNote() {
  const account = useAccount();
  const mail = useQuery(sessionQuery).data?.mail;
  if (account.email_verified || mail !== true) return null;
  return (
    <Alert color="blue" icon={<Icon name="mail" />}>
      <Text size="sm">
        Confirm your address with the link that we sent to{' '}
        <strong style={{ overflowWrap: 'anywhere' }}>{account.email}</strong>. Everything works in the
        meantime.
      </Text>
      <ResendVerification />
    </Alert>
  );
}
