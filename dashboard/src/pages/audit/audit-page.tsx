/** The audit trail of the account, newest first. */
import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/empty.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ClockTime } from '../../components/relative-time.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { describeEvent, formatDetail } from './audit-event.ts';

/** Shows the events, page by page. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery);
  const events = audit.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Audit trail"
        description="Sign-ins and changes to your account. If you do not recognize one of them, change your password."
      />
      <QueryState query={audit}>
        <RowsLoading rows={8} />
      </QueryState>
      {audit.data && (
        <div className="surface">
          {events.length === 0 ? (
            <Empty title="No events yet">Sign-ins and changes to your account appear here.</Empty>
          ) : (
            <AuditTable events={events} />
          )}
        </div>
      )}
      <ShowMore query={audit} label="Show older events" />
    </>
  );
}

function AuditTable({ events }: { events: AuditEvent[] }) {
  return (
    <StackTable label="Audit trail" columns={['Time', 'Event', 'Request ID']}>
      {events.map((event) => (
        <Row key={event.id}>
          <Cell label="Time">
            <ClockTime iso={event.at} />
          </Cell>
          <Cell wide>
            <Stack gap={0} style={{ minWidth: 0 }}>
              <Text size="sm">{describeEvent(event.event)}</Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
                {formatDetail(event.detail)}
              </Text>
            </Stack>
          </Cell>
          <Cell label="Request ID">{event.request_id !== null && <RequestId id={event.request_id} />}</Cell>
        </Row>
      ))}
    </StackTable>
  );
}
