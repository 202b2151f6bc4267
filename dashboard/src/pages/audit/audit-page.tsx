/** The audit trail of the account, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { FilterBar, FilterChip } from '../../components/chip.tsx';
import { CopyIcon } from '../../components/copy-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, NothingMatches } from '../../components/empty.tsx';
import { formatCount } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ClockTime } from '../../components/relative-time.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { describeEvent, EVENT_GROUPS, type EventGroup, formatDetail, isInGroup } from './audit-event.ts';
import classes from './audit-page.module.css';

/** Shows the events, page by page. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery);
  const [group, setGroup] = useState<string | undefined>(undefined);
  const events = audit.data?.pages.flatMap((page) => page.events) ?? [];
  const days = audit.data?.pages[0]?.retention_days;
  const kept = days === undefined ? '' : ` Kept for ${formatCount(days, 'day')}.`;
  return (
    <>
      <PageHeader
        title="Audit trail"
        description={`Sign-ins and changes to your account. If you do not recognize one of them, change your password.${kept}`}
      />
      <QueryState query={audit}>
        <RowsLoading rows={8} />
      </QueryState>
      {audit.data && events.length === 0 && (
        <Empty title="No events yet">Sign-ins and changes to your account appear here.</Empty>
      )}
      {events.length > 0 && (
        <>
          <FilterBar label="Filters of events">
            <FilterChip label="Events" choices={EVENT_GROUPS} value={group} onChange={setGroup} />
          </FilterBar>
          <AuditTable events={events} group={group as EventGroup | undefined} />
        </>
      )}
      <ShowMore query={audit} label="Show older events" />
    </>
  );
}

function AuditTable({ events, group }: { events: AuditEvent[]; group: EventGroup | undefined }) {
  const rows = group === undefined ? events : events.filter(({ event }) => isInGroup(event, group));
  if (rows.length === 0)
    return <NothingMatches title="No such event">Among the events that are loaded.</NothingMatches>;
  return <DataTable label="Audit trail" columns={COLUMNS} rows={rows} getKey={({ id }) => id} edge />;
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { key: 'time', header: 'Time', narrow: 'noteAside', render: ({ at }) => <ClockTime iso={at} /> },
  {
    key: 'event',
    header: 'Event',
    strong: true,
    narrow: 'title',
    render: ({ event }) => describeEvent(event),
  },
  {
    key: 'detail',
    header: 'Detail',
    narrow: 'note',
    render: ({ detail }) => <span className={classes.detail}>{formatDetail(detail)}</span>,
  },
  {
    key: 'ip',
    header: 'IP address',
    narrow: 'aside',
    render: ({ ip }) => (ip === null ? <span className="dim">–</span> : <span className="mono">{ip}</span>),
  },
  {
    key: 'request',
    header: 'Request ID',
    render: ({ request_id: id }) =>
      id !== null && (
        <span className={classes.request}>
          <span className="mono dim truncated">{id}</span>
          <CopyIcon text={id} what="the request ID" />
        </span>
      ),
  },
];
