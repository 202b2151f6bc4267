/** The parts of the inspector: state and plan, usage. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountDetail } from '../../api/admin-queries.ts';
import { adminPlansQuery } from '../../api/queries.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatDay, formatNumber, formatPercent } from '../../components/format.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { State, Tag } from '../../components/state.tsx';
import classes from './admin-page.module.css';
import { useChangeAccount } from './change-account.ts';

/** Shows the state of the account and how it is signed in to, with a choice of its plan. */
export function AccountFacts({ detail }: { detail: AccountDetail }) {
  const { account } = detail;
  const ways = [detail.has_password && 'Password', detail.has_identity && 'Identity provider'].filter(
    Boolean,
  );
  const signIn = ways.length === 0 ? 'No password yet' : ways.join(' or ');
  return (
    <Facts>
      <Fact label="State">
        {account.disabled ? <State meaning="off">Disabled</State> : <State meaning="ok">Active</State>}{' '}
        {account.admin && <Tag>Administrator</Tag>}
      </Fact>
      <Fact label="Address">
        {account.email_verified ? 'Verified' : <Tag meaning="warn">Unverified</Tag>}
      </Fact>
      <Fact label="Plan">
        <PlanSelect detail={detail} />
      </Fact>
      {detail.quota.quota !== null && (
        <Fact label="This month">
          {formatNumber(detail.quota.used)} of {formatNumber(detail.quota.quota)}{' '}
          {detail.quota.remaining === 0 && <Tag meaning="bad">Used up</Tag>}
        </Fact>
      )}
      <Fact label="Member since">{formatDay(account.created_at)}</Fact>
      <Fact label="Sign-in">{detail.second_factor ? `${signIn}, with a code` : signIn}</Fact>
      <Fact label="Last sign-in">
        <RelativeTime iso={detail.last_sign_in_at} />
        {detail.sessions > 0 && `, ${formatNumber(detail.sessions)} signed in`}
      </Fact>
      <Fact label="Account ID" copy={account.id}>
        <span className="mono">{account.id}</span>
      </Fact>
    </Facts>
  );
}

function PlanSelect({ detail: { account } }: { detail: AccountDetail }) {
  const plans = useQuery(adminPlansQuery).data ?? [];
  const changing = useChangeAccount();
  const choices = plans.map(({ name, limit_per_minute: limit }) => ({
    value: name,
    label: `${name}, ${formatNumber(limit)} a minute`,
  }));
  const isKnown = choices.some(({ value }) => value === account.plan);
  return (
    <Select
      aria-label={`Plan of ${account.email}`}
      maw="14rem"
      allowDeselect={false}
      disabled={changing.isPending}
      data={isKnown ? choices : [...choices, { value: account.plan, label: account.plan }]}
      value={account.plan}
      onChange={(plan) => plan !== null && plan !== account.plan && changing.mutate({ id: account.id, plan })}
    />
  );
}

const PERIODS = [
  ['today', 'Today'],
  ['last_7_days', '7 days'],
  ['this_month', 'This month'],
] as const;

/** Shows how many requests the account sent, and the share of errors. */
export function AccountUsage({ detail: { usage } }: { detail: AccountDetail }) {
  return (
    <>
      <h3>Requests</h3>
      <ul className={classes.mini}>
        {PERIODS.map(([period, label]) => {
          const { requests, errors } = usage[period];
          return (
            <li key={period}>
              <span className={classes.miniName}>{label}</span>
              {errors > 0 && <span className="dim tabular">{formatPercent(errors / requests)} errors</span>}
              <span className="strong tabular">{formatNumber(requests)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
