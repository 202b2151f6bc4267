/** The rules by which requests are counted, beside the headers that say so. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { overviewQuery, sessionQuery } from '../../api/queries.ts';
import { CodeWell } from '../../components/code-well.tsx';
import { formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import classes from './plan.module.css';

/** Shows the rules, and example headers with the numbers of this account. */
export function CountingRules({ limit, monthlyQuota }: { limit: number; monthlyQuota: number | null }) {
  const sendsMail = useQuery(sessionQuery).data?.mail !== false;
  return (
    <div className={classes.rules}>
      <Section title="How requests are counted">
        <dl className={classes.list}>
          <Rule name="The window">
            A clock minute in UTC. Your plan allows {formatNumber(limit)} requests of each key per window, and
            they may all arrive at once.
          </Rule>
          <Rule name="What counts">
            Every request within the limit, whatever its response. A batch counts once per address or URL, a
            PDF once per document, a rendered page once.
          </Rule>
          <Rule name="Over the limit">
            <code>429 rate_limit_exceeded</code>, which does not count. Wait as many seconds as{' '}
            <code>Retry-After</code> says.
          </Rule>
          {monthlyQuota !== null && (
            <Rule name="The month">
              A calendar month in UTC, all keys together: {formatNumber(monthlyQuota)} requests. Past it you
              get the same error until the month ends.
              {sendsMail && ' You get an email at 80% and at 100%.'}
            </Rule>
          )}
          <Rule name="Too many at once">
            The same error, or <code>503 overloaded</code> if the request was queued. Its message names the
            share, and it counts.
          </Rule>
          <Rule name="Rotated keys">
            A rotated key shares its limit with the key that replaces it, until it expires.
          </Rule>
        </dl>
      </Section>
      <Section title="In every response">
        <ResponseHeaders limit={limit} />
      </Section>
    </div>
  );
}

function Rule({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ResponseHeaders({ limit }: { limit: number }) {
  const minute = useQuery(overviewQuery).data?.minute;
  const [tab, setTab] = useState('within');
  const [openedMs] = useState(() => Date.now());
  const resetMs = minute === undefined ? openedMs : Date.parse(minute.resets_at);
  const format = (remaining: number) =>
    `x-ratelimit-limit: ${limit}
x-ratelimit-remaining: ${remaining}
x-ratelimit-reset: ${Math.floor(resetMs / 1000)}  # Unix seconds`;
  return (
    <CodeWell
      label="Response headers"
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'within',
          label: 'Within the limit',
          code: `HTTP/1.1 200 OK\n${format(Math.max(0, limit - (minute?.used_max_key ?? 0)))}`,
        },
        {
          value: 'over',
          label: 'Over the limit',
          code: `HTTP/1.1 429 Too Many Requests\n${format(0)}\nretry-after: ${minute?.resets_in_seconds ?? 60}  # seconds`,
        },
      ]}
    />
  );
}
