/** The audit trail of the account, newest first. */
import { Button, Center, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { auditQuery } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, LoadError, RowsLoading } from '../../components/page-states.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { formatClock, formatExact } from '../../components/format.ts';
import { describeEvent, formatDetail } from './audit-event.ts';

/** The audit trail page. */
export function AuditPage() {
  const audit = useInfiniteQuery(auditQuery);
  const events = audit.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Audit trail"
        description="Sign-ins and changes to your account. If something here was not you, change your password."
      />
      {audit.isError && <LoadError error={audit.error} retry={() => void audit.refetch()} />}
      {audit.isPending && <RowsLoading rows={8} />}
      {audit.data && (
        <div className="surface">
          {events.length === 0 ? (
            <Empty icon="history" title="No events yet">
              Sign-ins and changes to your account appear here.
            </Empty>
          ) : (
            <AuditTable events={events} />
          )}
        </div>
      )}
      {audit.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            Show older events
          </Button>
        </Center>
      )}
    </>
  );
}

function AuditTable({ events }: { events: AuditEvent[] }) {
  return (
    <StackTable label="Audit trail" columns={['Time', 'Event', 'Request ID']}>
      {events.map((event) => (
        <Row key={event.id}>
          <Cell label="Time">
            <time
              dateTime={event.at}
              title={formatExact(event.at)}
              className="tabular"
              style={{ whiteSpace: 'nowrap' }}
            >
              {formatClock(event.at)}
            </time>
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
