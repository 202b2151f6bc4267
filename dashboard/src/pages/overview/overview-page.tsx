/** The overview page: the figures of today, or the first steps of an account that has called nothing yet. */
import { formatDay } from '../../components/format.ts';
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { overviewQuery, sessionQuery } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import type { Overview } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { useClock } from '../../components/relative-time.tsx';
import { ResendVerification } from '../../components/resend-verification.tsx';
import { FiguresStrip } from './figures-strip.tsx';
import { FirstCalls } from './first-calls.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HoursChart } from './hours-chart.tsx';
import { OperationTable } from './operation-table.tsx';
import { QuotaNote } from './quota-note.tsx';
import { TodayLists } from './today-lists.tsx';

/** Shows the overview. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery);
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
  return (
    <>
      <Content overview={overview.data} isFresh={overview.isFetchedAfterMount} />
      <QueryState query={overview} />
    </>
  );
}

function Content({ overview, isFresh }: { overview: Overview; isFresh: boolean }) {
  // The steps stay until the page is left: the last one is to be read after the first call. What the cache
  // has may be of before that call, so the first response decides.
  const [{ isNew, isDecided }, decide] = useState({ isNew: !hasCalled(overview), isDecided: isFresh });
  if (isFresh && !isDecided) decide({ isNew: !hasCalled(overview), isDecided: true });
  if (!isNew) return <Today overview={overview} />;
  return (
    <>
      <PageHeader title="Welcome" description="Make your first API call in three steps." />
      <ConfirmAddressNote />
      <FirstSteps firstKey={overview.keys.active > 0 ? overview.first_key : null} />
    </>
  );
}

/** Checks whether a key of the account was ever used. */
function hasCalled({ today, by_hour: hours, keys }: Overview): boolean {
  return (
    today.requests > 0 ||
    hours.some(({ requests }) => requests > 0) ||
    keys.top.some((key) => key.last_used_at !== null)
  );
}

const weekdayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

function Today({ overview }: { overview: Overview }) {
  const day = useClock((nowMs) => `${weekdayFormat.format(nowMs)}, ${dayFormat.format(nowMs)}`);
  return (
    <>
      <PageHeader title="Overview" description={`${day}, since 00:00 UTC`}>
        <Button
          variant="default"
          className="wide-only"
          leftSection={<Icon name="playerPlay" size={16} />}
          renderRoot={(props) => <Link to="/try" {...props} />}
        >
          Try it
        </Button>
        <Button
          leftSection={<Icon name="plus" size={16} />}
          renderRoot={(props) => <Link to="/keys" {...props} />}
        >
          Create key
        </Button>
      </PageHeader>
      <ConfirmAddressNote />
      <QuotaNote />
      <FiguresStrip overview={overview} />
      <HoursChart hours={overview.by_hour} />
      <OperationTable operations={overview.operations} />
      <TodayLists overview={overview} />
      <FirstCalls />
    </>
  );
}

function ConfirmAddressNote() {
  const account = useAccount();
  const mail = useQuery(sessionQuery).data?.mail;
  if (account.email_verified || mail !== true) return null;
  const disabledAt = account.keys_disabled_at;
  return (
    <Alert color={disabledAt === null ? 'blue' : 'red'} icon={<Icon name="mail" />} mb="md">
      <Text size="sm">
        Confirm your address with the link that we sent to{' '}
        <strong style={{ overflowWrap: 'anywhere' }}>{account.email}</strong>.{' '}
        {disabledAt === null
          ? 'Everything works in the meantime.'
          : `Your API keys have been disabled since ${formatDay(disabledAt)}, because they were not used for 7 days. They work again once the address is confirmed; otherwise the account is deleted 30 days after that day.`}
      </Text>
      <ResendVerification />
    </Alert>
  );
}
