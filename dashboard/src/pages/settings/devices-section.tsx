/** The sessions of the account. */
import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { devicesQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { signOut } from '../../api/session.ts';
import type { DeviceSession } from '../../api/types.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { deviceName } from '../../components/device-name.ts';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** Lists the sessions, with buttons to end one or all. */
export function DevicesSection() {
  const client = useQueryClient();
  const devices = useQuery(devicesQuery);
  const [confirming, setConfirming] = useState(false);
  return (
    <Section
      title="Signed-in devices"
      description="A session expires after a day without use, and after a week at the latest."
      actions={
        <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </Button>
      }
    >
      {devices.data === undefined && (
        <div style={{ padding: '0 20px 20px' }}>
          <QueryState query={devices}>
            <RowsLoading rows={2} />
          </QueryState>
        </div>
      )}
      {devices.data && (
        <StackTable label="Signed-in devices" columns={['Device', 'Signed in', 'Last seen', 'Actions']}>
          {devices.data.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </StackTable>
      )}
      <ConfirmModal
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onConfirm={() => signOut(client, true)}
      >
        Every device is signed out, including this one. Your API keys keep working.
      </ConfirmModal>
    </Section>
  );
}

function DeviceRow({ device }: { device: DeviceSession }) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => request('DELETE /account/sessions/:id', { id: device.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not sign out', message: getErrorMessage(error) }),
  });
  const name = deviceName(device.user_agent);
  return (
    <Row>
      <Cell wide>
        <Group gap="xs">
          <Text size="sm" fw={600} title={device.user_agent.slice(0, 300)}>
            {name}
          </Text>
          {device.current && <Badge color="green">This device</Badge>}
        </Group>
      </Cell>
      <Cell label="Signed in">
        <RelativeTime iso={device.created_at} />
      </Cell>
      <Cell label="Last seen">
        <RelativeTime iso={device.last_seen_at} />
      </Cell>
      <Cell label="Actions">
        {!device.current && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={ending.isPending}
            aria-label={`Sign out ${name}`}
            onClick={() => ending.mutate()}
          >
            Sign out
          </Button>
        )}
      </Cell>
    </Row>
  );
}
