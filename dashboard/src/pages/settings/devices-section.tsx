/** Where the account is signed in, and how to end that. */
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
import { LoadError, RowsLoading, sentenceFor } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { Ago } from '../../components/times.tsx';

/** Every session, each with a way to end it, and one for all. */
export function DevicesSection() {
  const client = useQueryClient();
  const devices = useQuery(devicesQuery);
  const [asking, setAsking] = useState(false);
  return (
    <Section
      title="Signed-in devices"
      description="A session ends after a day without use, and after a week in any case."
      padded={false}
      actions={
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      }
    >
      {devices.data === undefined && (
        <div style={{ padding: '0 20px 20px' }}>
          {devices.isError ? (
            <LoadError error={devices.error} retry={() => void devices.refetch()} />
          ) : (
            <RowsLoading rows={2} />
          )}
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
        opened={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        act={() => signOut(client, true)}
      >
        Every device is signed out, this one too. Your API keys go on working.
      </ConfirmModal>
    </Section>
  );
}

function DeviceRow({ device }: { device: DeviceSession }) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => request('DELETE', `/account/sessions/${device.id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not signed out', message: sentenceFor(error) }),
  });
  const name = deviceName(device.user_agent);
  return (
    <Row>
      <Cell wide>
        <Group gap="xs">
          <Text size="sm" fw={600} title={device.user_agent.slice(0, 300)}>
            {name}
          </Text>
          {device.current && (
            <Badge variant="light" color="green" tt="none" radius="sm">
              This one
            </Badge>
          )}
        </Group>
      </Cell>
      <Cell label="Signed in">
        <Ago iso={device.created_at} />
      </Cell>
      <Cell label="Last seen">
        <Ago iso={device.last_seen_at} />
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
